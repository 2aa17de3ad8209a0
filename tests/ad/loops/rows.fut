-- Loops over rows that are maps, written in several ways, and their derivatives.
-- ==
-- entry: network
-- input { [[1f64, 2f64], [0.5f64, -1f64], [0.25f64, 0f64]] [0.1f64, 0.2f64, 0.3f64] [[1f64, -1f64], [2f64, 0.5f64]] }
-- output { true }

-- ==
-- entry: parts
-- input { [[1f64, 1.5f64], [3f64, 4f64]] } output { true }

-- ==
-- entry: counts
-- input { [0i64, 2i64, 2i64] [1f64, 2f64, 3f64] } output { true }

def close (a: f64) (b: f64) = f64.abs (a - b) <= 1e-5 * (1 + f64.abs b)

def layer [n][m][k] (w: [n][m]f64) (bias: [n]f64) (xs: [k][m]f64) : [k][n]f64 =
  map (\x ->
         loop out = copy bias for i < n do
           let s = loop s = out[i] for j < m do s + w[i, j] * x[j]
           in out with [i] = f64.tanh s)
      xs

def slope f x = let h = 1e-6 in (f (x + h) - f (x - h)) / (2 * h)

entry network [n][m][k] (w: [n][m]f64) (bias: [n]f64) (xs: [k][m]f64) : bool =
  let loss w bias = f64.sum (map f64.sum (layer w bias xs))
  let (gw, gb) = vjp (\(w, b) -> loss w b) (w, bias) 1
  let fw = tabulate_2d n m (\i j -> slope (\t -> loss (copy w with [i, j] = t) bias) w[i, j])
  let fb = tabulate n (\i -> slope (\t -> loss w (copy bias with [i] = t)) bias[i])
  in and (flatten (map2 (map2 close) gw fw)) && and (map2 close gb fb)

-- A row that is changed in steps, by branches and by loops.
def steps [n][m] (a: [n][m]f64) : [n][m]f64 =
  loop a = copy a for i < n do
    let a = a with [i, 0] = a[i, 0] * a[i, m - 1]
    let a = if a[i, 0] > 2 then a with [i, m - 1] = f64.sqrt a[i, 0] else a
    in loop a for j < m do a with [i, j] = a[i, j] * a[i, j] + f64.i64 j

entry parts [n][m] (a: [n][m]f64) : bool =
  let loss a = f64.sum (map f64.product (steps a))
  let g = vjp loss a 1
  let h = tabulate_2d n m (\i j -> slope (\t -> loss (copy a with [i, j] = t)) a[i, j])
  let j = tabulate_2d n m (\i j -> jvp loss a (tabulate_2d n m (\k l -> f64.bool (k == i && l == j))))
  in and (flatten (map2 (map2 close) g h)) && and (flatten (map2 (map2 close) j h))

-- The return sweep adds to places that iterations share.
entry counts [n] (is: [n]i64) (xs: [n]f64) : bool =
  let loss xs = f64.product (loop ys = replicate n 1 for i < n do ys with [i] = ys[i] + xs[is[i]] * xs[i])
  let g = vjp loss xs 1
  let h = tabulate n (\i -> slope (\t -> loss (copy xs with [i] = t)) xs[i])
  in and (map2 close g h)
