-- A copy of what the loop owns and reads no more when the copy changes is no copy.
-- structure soac,c: alloc 1, copies 1
-- ==
-- input { [1i32, 2i32, 3i32] 2i64 } output { [4i32, 2i32, 3i32] }
entry main [n] (xs: [n]i32) (k: i64) : [n]i32 =
  loop a = copy xs for _i < k do
    let b = if a[0] > 100 then a else a with [0] = 2 * a[0]
    let c = copy b
    let last = b[n - 1]
    in if c[0] > 50 then c else c with [n - 1] = last
