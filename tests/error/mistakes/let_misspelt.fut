-- Let misspelt.
-- at 6
-- ==
-- error: did you mean "let" instead of "lett"

def f (x: i32) = lett y = x in y
