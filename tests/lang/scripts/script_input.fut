-- Arguments computed by entry points.
-- ==
-- script input { (2i32, numbers 4i64) } output { [0, 2, 4, 6] }
-- script input { (3, numbers 2) } output { [0, 3] }
entry main (k: i32) (xs: []i32) = map (* k) xs
entry numbers (n: i64) : []i32 = map i32.i64 (iota n)
