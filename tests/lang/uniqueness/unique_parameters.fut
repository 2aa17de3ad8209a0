-- Consuming functions.
def set (a: *[]i32) (i: i64) (v: i32) : *[]i32 = a with [i] = v
-- ==
-- input { [1, 2, 3] } output { [7, 2, 8] }
entry main (xs: *[]i32) = set (set xs 0 7) 2 8
