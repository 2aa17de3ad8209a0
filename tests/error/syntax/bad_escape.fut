-- An unknown escape in a string.
-- at 6
-- ==
-- error: escape|character|Unexpected|string

def f = "a\qb"
