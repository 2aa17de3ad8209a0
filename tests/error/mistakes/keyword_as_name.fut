-- Keyword as name.
-- at 6
-- ==
-- error: "type" is a keyword and cannot be a name

def type = 3
