-- Quotes from a text.
-- at 6
-- ==
-- error: write " instead\.

def f = “abc”
