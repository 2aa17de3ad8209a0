-- Gradients whose adjoints are sums into arrays.

-- By an index that is data: small and large arrays, hot elements.
entry indirect [n][m] (is: [n]i64) (ws: [n]f64) (ys: [m]f64) : [m]f64 =
  vjp (\ys -> f64.sum (map2 (\i w -> w * ys[i] * ys[i]) is ws)) ys 1

-- Neighbours: each element is used twice.
entry dense [n] (ws: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\ys -> f64.sum (map (\i -> ws[i] * ys[i] * ys[i + 1]) (iota (n - 1)))) ys 1

entry product [n] (w: [n][n]f64) (a: [n][n]f64) (b: [n][n]f64) : [2][n][n]f64 =
  let (da, db) =
    vjp (\(a, b) ->
           f64.sum (map2 (\r x -> f64.sum (map2 (\c y -> y * f64.sum (map2 (*) r c)) (transpose b) x)) a w))
        (a, b) 1
  in [da, db]
