-- A match does not say which other constructors there are.
-- at 6
-- ==
-- error: Must be a sum type with constructors #bar . #foo i32

def f x = match x case #foo y -> y + 1i32 case #bar -> 0
