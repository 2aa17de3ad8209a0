-- Rows of equal elements, or in steps, take the place of rows that these are computed from.
-- ==
-- entry: both
-- input { 2i64 0.1 } output { [[0.9041068737261554, 0.9041068737261554], [0.9041068737261554, 0.9041068737261554]] }
entry both (m: i64) (x: f64) : [m][2]f64 =
  loop a = replicate m [x, 0.5] for _i < 2i32 do
    tabulate_2d m 2 (\i j -> f64.sin (a[i, j] + a[i, (j + 1) % 2]))

-- ==
-- entry: steps
-- input { [[3i64, 4i64, 5i64], [1i64, 0i64, 0i64]] } output { [[729i64, 730i64, 731i64], [9i64, 10i64, 11i64]] }
entry steps [m] (a: [m][3]i64) : [m][3]i64 =
  loop a = copy a for _i < 2i32 do
    map (\r -> let s = r[0] * r[1] + 2 * r[2] + r[0] in s..<s + 3 :> [3]i64) a
