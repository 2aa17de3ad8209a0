-- A built-in operator can be shadowed.
def (+) (x: i32) (y: i32) : i32 = x * 10 - (-y)
-- ==
-- input { 1 2 } output { 12 }
entry main (x: i32) (y: i32) = x + y
