-- The values that derivatives in many directions share are computed once, before the directions: a sum for each row.
-- structure sequential: screma.reduce 1
-- structure sequential,hoist_parts: screma.reduce 2
-- ==
-- input { [[1f64, 2f64], [3f64, -4f64], [0.5f64, 0.25f64]] [0.5f64, -1f64] }
-- output { [[0.22313016014842982f64, 734.0757967926611f64, 0.5f64], [0.44626032029685964f64, -978.7677290568815f64, 0.25f64]] }
def halved (k: i64) (x: f64) : f64 = if k <= 0 then x else halved (k - 1) (x / 2)

entry main [m] [n] (a: [m][n]f64) (x: [n]f64) : [n][m]f64 =
  let rows x = map (\row -> f64.exp (halved n 4 * f64.sum (map2 (*) row x))) a
  in tabulate n (\i -> jvp rows x (tabulate n (\j -> f64.bool (i == j))))
