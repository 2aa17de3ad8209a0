-- An assertion around an argument does not hide the size.
-- ==
-- entry: main
-- input { 3i64 } output { 3f32 }
-- input { 100i64 } error:

-- ==
-- entry: inner
-- input { 3i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { -5i64 } error:

-- ==
-- entry: let_bound
-- input { 3i64 } output { [0i64, 2i64, 4i64] }
-- input { 100i64 } error:

-- ==
-- entry: slice
-- input { [1, 2, 3] 2i64 } output { [1, 2] }
-- input { [1, 2, 3] 4i64 } error:

def ones (k: i64) : [k]f32 = replicate (assert (k < 100) k) 1

entry main k = f32.sum (ones k)

entry inner (k: i64) : [k + 1]i64 = iota (assert (k > -1) k + 1)

entry let_bound (k: i64) : [k]i64 =
  let n = assert (k < 100) k
  in map2 (+) (iota n) (iota k)

entry slice [n] (xs: [n]i32) (k: i64) : [k]i32 =
  xs[:(assert (k <= n) k)]
