-- A character literal has no hexadecimal escapes.
-- at 6
-- ==
-- error: Invalid escape in character literal

def f = '\x41'
