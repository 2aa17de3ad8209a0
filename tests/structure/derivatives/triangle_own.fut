-- Elements of a triangle have their own index: a map, also where both branches read them.
-- structure soac: withacc 0, upd_acc 0, screma 2
-- ==
-- input { [[1f64,2f64],[3f64,4f64]] [1f64,2f64] [10f64,100f64] }
-- output { [[10.0f64, 40.0f64], [100.0f64, 200.0f64]] }
entry main [n] (l: [n][n]f64) (x: [n]f64) (g: [n]f64) : [n][n]f64 =
  vjp (\l -> tabulate n (\i -> f64.sum (tabulate n (\j ->
         if j <= i then l[i, j] * x[j] else l[i, j] * l[i, j])))) l g
