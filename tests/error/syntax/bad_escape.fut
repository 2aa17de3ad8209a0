-- An unknown escape in a string.
-- at 6
-- ==
-- error: Invalid escape in string literal

def f = "a\qb"
