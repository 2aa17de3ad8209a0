-- Infix definitions.
def x `plus` y = x + y + 0i32
def (a: i32) <+> (b: i32) : i32 = a * b
-- ==
-- input { 3 4 } output { 7 12 }
entry main (x: i32) (y: i32) = (x `plus` y, x <+> y)
