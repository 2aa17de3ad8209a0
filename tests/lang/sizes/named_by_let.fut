-- let [n] names the size of a value.
-- ==
-- input { [1i32, -2i32, 3i32] } output { 2i64 [1i32, 3i32] [0i64, 1i64] }
entry main (xs: []i32) : (i64, []i32, []i64) =
  let [n] (ys: [n]i32) = filter (> 0) xs
  let (a, b) = unzip (zip ys (iota n))
  in (n, a, b)
