-- A character that no token has.
-- at 6
-- ==
-- error: Unexpected character '@'

def f = a@b
