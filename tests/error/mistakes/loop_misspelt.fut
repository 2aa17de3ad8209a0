-- Loop misspelt.
-- at 6
-- ==
-- error: did you mean "loop" instead of "loopp"

def f (x: i32) = loopp y = x for i < 3 do y + i
