-- Functions whose derivatives are split into two sweeps: what the second needs of the first is of each kind.

entry layer [n][m] (w: [n][m]f64) (x: [m]f64) : [n]f64 = map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w
entry two_layers [n][m][k][b] (w: [n][m]f64) (v: [k][n]f64) (xs: [b][m]f64) : [b][k]f64 =
  map (\x -> let h = map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w
             in map (\r -> f64.tanh (f64.sum (map2 (*) r h))) v) xs
-- Nothing: it is computed again.
entry elementwise [n] (x: [n]f64) : [n]f64 = map f64.exp (map f64.sin (map (*2) x))
entry root [n] (x: [n]f64) : [n]f64 = scan (*) 1 x
-- What loops keep.
entry steps [n] (k: i64) (x: [n]f64) : [n]f64 = loop x for _i < k do map (\a -> f64.sin a * 1.1) x
entry in_place [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop x = copy x for i < k do x with [i % n] = f64.sin x[i % n] * x[(i+1)%n]
-- Numbers, integers, and results among what is needed.
entry mixed [n] (s: f64) (is: [n]i64) (x: [n]f64) : (f64, [n]f64, [n]i64) =
  let t = f64.exp (s * f64.sum x)
  let y = map (\i -> x[i] * t) is
  let z = scan (+) 0 y
  in (f64.maximum z, map (*t) z, map (+1) is)
-- Sizes of its own.
entry half [n] (x: [n]f64) : f64 =
  let y = map f64.sin x[0:n/2] in f64.sum (scan (*) 1 y) * f64.product y
entry branches [n] (c: bool) (x: [n]f64) : [n]f64 =
  let y = if c then scan (+) 0 x else map f64.exp x in map2 (*) y (reverse y)
entry overwritten [n] (x: [n]f64) : [n]f64 =
  let y = scan (+) 0 x let s = f64.sum (map f64.sin y) in (copy y) with [0] = s * y[n-1]
entry unknown [n] (x: [n]f64) : []f64 = filter (> 0) (map (* 2) x)
