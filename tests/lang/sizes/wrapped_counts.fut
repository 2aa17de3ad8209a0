-- A number of iterations that wraps around: 9 * 2049638230412172402 is 2^64 + 2.  Sizes of arrays that are given to a
-- program are never that large, other numbers may be.
def sum_of (n: i64) (x: i64) : i64 =
  loop s = 0 for q < n do if q % 9 == 1 then s + 2 else s + q / 9 + x + q % 9

-- ==
-- entry: once
-- input { 2049638230412172402i64 } output { 3i64 }
-- input { 1i64 } output { 45i64 }
entry once (c: i64) : i64 = sum_of (c * 9) 1

-- ==
-- entry: each
-- input { 2049638230412172402i64 empty([0]f32) } output { 3i64 }
-- input { 2049638230412172402i64 [1f32, 2f32] } output { 15i64 }
-- input { 1i64 [1f32] } output { 53i64 }
entry each [o] (c: i64) (ks: [o]f32) : i64 =
  let sums = map (\k -> sum_of (c * 9) (i64.f32 k)) ks
  in i64.sum sums + (if o == 0 then 3 else 8)

-- Sizes that are known to be exact.
-- ==
-- entry: sizes
-- input { [[[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]]] } output { 53i64 }
-- input { empty([0][2][3][3]f32) } output { 3i64 }
entry sizes [o][c] (ks: [o][c][3][3]f32) : i64 =
  let sums = map (\k -> sum_of (c * 9) (i64.f32 k[0, 0, 0])) ks
  in i64.sum sums + (if o == 0 then 3 else 8)
