-- Loop parameters that take turns: both are consumed.
-- ==
-- input { 4 } output { [4, 0, 0] [3, 0, 0] }
entry main (n: i32) : ([]i32, []i32) =
  loop (a, b) = (replicate 3 0, replicate 3 0) for i < n do
    let b[0] = i + 1
    in (b, a)
-- ==
-- entry: declared
-- input { [1, 2] [3, 4] } output { [3, 4] [1, 2] }
entry declared (a: *[]i32) (b: *[]i32) : ([]i32, []i32) =
  loop (p: *[]i32, q: *[]i32) = (a, b) for _i < 3i32 do (q, p)
