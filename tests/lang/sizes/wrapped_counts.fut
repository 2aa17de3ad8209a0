-- A number of iterations that wraps around, of sizes of an array without elements: 9 * 2049638230412172402 is 2^64 + 2.
def sum_of (n: i64) (x: i64) : i64 =
  loop s = 0 for q < n do if q % 9 == 1 then s + 2 else s + q / 9 + x + q % 9

-- ==
-- entry: once
-- input { empty([0][2049638230412172402][3][3]f32) } output { 3i64 }
-- input { [[[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]]] } output { 45i64 }
entry once [o][c] (_: [o][c][3][3]f32) : i64 = sum_of (c * 9) 1

-- ==
-- entry: each
-- input { empty([0][2049638230412172402][3][3]f32) } output { 3i64 }
-- input { [[[[1f32, 1f32, 1f32], [1f32, 1f32, 1f32], [1f32, 1f32, 1f32]]]] } output { 53i64 }
entry each [o][c] (ks: [o][c][3][3]f32) : i64 =
  let sums = map (\k -> sum_of (c * 9) (i64.f32 k[0, 0, 0])) ks
  in i64.sum sums + (if o == 0 then 3 else 8)
