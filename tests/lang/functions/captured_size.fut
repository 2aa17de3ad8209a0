-- A local function captures the size of its parameter: it is given the size before the array.
-- ==
-- input { [1, 2, 3] } output { 9 12 }
-- input { empty([0]i32) } output { 0 0 }
entry main [n] (xs: [n]i32) : (i32, i32) =
  let f (ys: [n]i32) = i32.sum ys + i32.i64 n
  in (#[noinline] f xs, #[noinline] f (map (+ 1) xs))
