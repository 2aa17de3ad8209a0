-- A triangle filled in place, each element by a sum over what is there: the way back reads the
-- triangle as it is in the end, and the sums are computed again.
-- ==
-- entry: gradient second
-- input { [[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 6.0]] } output { true }
def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for i < n do
    loop l for j < i + 1 do
      let s = a[i, j] - (loop s = 0 for k < j do s + l[i, k] * l[j, k])
      in l with [i, j] = if i == j then f64.sqrt s else s / l[j, j]

def weighted [n] (a: [n][n]f64) : f64 =
  f64.sum (map2 (\i r -> f64.i64 (i + 1) * f64.sum r) (iota n) (cholesky a))

def near (a: f64) (b: f64) : bool = f64.abs (a - b) < 1e-6 * (1 + f64.abs b)
def unit (n: i64) (i: i64) (j: i64) : [n][n]f64 =
  tabulate_2d n n (\k l -> f64.bool (k == i && l == j))
def differences [n] (f: [n][n]f64 -> f64) (a: [n][n]f64) (i: i64) (j: i64) : f64 =
  let at h = f (map2 (map2 (\x d -> x + h * d)) a (unit n i j))
  in (8 * (at 1e-3 - at (-1e-3)) - (at 2e-3 - at (-2e-3))) / 12e-3

entry gradient [n] (a: [n][n]f64) : bool =
  let g = vjp weighted a 1
  in and (flatten (tabulate_2d n n (\i j -> near g[i, j] (differences weighted a i j))))

entry second [n] (a: [n][n]f64) : bool =
  let d = map (map f64.cos) a
  let along a = f64.sum (map2 (\x y -> f64.sum (map2 (*) x y)) d (vjp weighted a 1))
  let (x, y) = (jvp (\a -> vjp weighted a 1) a d, vjp along a 1)
  in and (flatten (tabulate_2d n n (\i j ->
       near x[i, j] (differences along a i j) && near y[i, j] (differences along a i j))))
