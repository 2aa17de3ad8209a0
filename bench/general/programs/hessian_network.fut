-- The Hessian of the loss of a small network by all its weights, which are one flat vector; the
-- directions are made where they are used.
def unpack (i: i64) (h: i64) (p: []f64) : ([h][i]f64, [h]f64, [h]f64) =
  (unflatten (p[0:h * i] :> [h * i]f64), p[h * i:h * i + h] :> [h]f64, p[h * i + h:h * i + 2 * h] :> [h]f64)

entry primal [m][i][n] (xs: [m][i]f64) (ys: [m]f64) (hidden: i64) (p: [n]f64) : f64 =
  let (w, b, o) = unpack i hidden p
  let net x = f64.sum (map3 (\r c v -> v * f64.tanh (c + f64.sum (map2 (*) r x))) w b o)
  in f64.sum (map2 (\x y -> (net x - y) ** 2) xs ys) / f64.i64 m

entry gradient [m][i][n] (xs: [m][i]f64) (ys: [m]f64) (hidden: i64) (p: [n]f64) : [n][n]f64 =
  let grad p = vjp (primal xs ys hidden) p 1
  in tabulate n (\k -> jvp grad p (tabulate n (\j -> if j == k then 1 else 0)))
