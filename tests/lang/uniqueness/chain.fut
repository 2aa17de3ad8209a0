-- Unique results are consumed in turn.
def put [n] (i: i64) (a: *[n]i32) : *[n]i32 = a with [i] = 9
-- ==
-- input { [1, 2, 3] } output { [9, 9, 9] [1, 2, 3] }
entry main (xs: []i32) = (put 0 (put 1 (put 2 (copy xs))), xs)
