-- The other logical operator, defined infix.
-- at 6
-- ==
-- error: The .. operator may not be redefined

def (a: bool) || (b: bool) = a && b
