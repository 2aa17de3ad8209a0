-- Loops with a recurrence inside whose results are added up: entry points for recurrences.sh.

def polynomial [k] (cs: [k]f64) (t: f64) : f64 =
  (loop (s, power) = (0, 1) for c in cs do (s + c * power, power * t)).0

def misfit [n][k] (xs: [n]f64) (cs: [k]f64) : f64 =
  f64.sum (map (\x -> (f64.sgn x - polynomial cs x) ** 2) xs)

entry poly [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = misfit xs zs[n - 1]
entry poly_gradient [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = vjp2 (misfit xs) zs[n - 1] 1
entry poly_inputs [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = vjp (\xs -> misfit xs zs[0]) xs 1

-- A walk whose steps depend on where it is.
def walk [k] (a: f64, b: f64) (steps: [k]f64) : f64 =
  loop s = 1 for z in steps do s + a * (b - s) + 0.1 * f64.exp (-s * s) * z

def gain [n][k] (steps: [n][k]f64) (p: (f64, f64)) : f64 =
  f64.sum (map (\z -> f64.max 0 (walk p z - 1)) steps)

def flat (y: f64, (a: f64, b: f64)) = (y, a, b)

entry walks [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = gain zs (0.1, 1.2)
entry walks_columns [n][k] (_: [n]f64) (_: [n][k]f64) (zt: [k][n]f64) = gain (transpose zt) (0.1, 1.2)
entry walks_gradient [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = flat (vjp2 (gain zs) (0.1, 1.2) 1)
entry walks_columns_gradient [n][k] (_: [n]f64) (_: [n][k]f64) (zt: [k][n]f64) =
  flat (vjp2 (gain (transpose zt)) (0.1, 1.2) 1)
entry walks_inputs [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = vjp (\zs -> gain zs (0.1, 1.2)) zs 1
entry walks_forward [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) = jvp2 (gain zs) (0.1, 1.2) (1, -2)
entry walks_second [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  jvp (\p -> vjp (gain zs) p 1) (0.1, 1.2) (1, -2)

-- Results for each walk, and several folds of them.
entry ends [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  let es = map2 (\x z -> walk (x, 1) z) xs zs
  in (es, f64.sum es, f64.minimum es, f64.maximum es, f64.product (map (+ 0.5) es))

-- In single precision.
entry single [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  let ts = #[opaque] map f32.f64 xs
  let loss (cs: [k]f32) =
    f32.sum (map (\t -> (loop (s, p) = (0, 1) for c in cs do (s + c * p, p * t)).0 ** 2) ts)
  in vjp2 loss (map f32.f64 zs[n - 1]) 1

-- Parameters in two dimensions, each added to by all rows.
entry layers [n][k] (xs: [n]f64) (zs: [n][k]f64) (zt: [k][n]f64) =
  let loss (w: [k][2]f64) = f64.sum (map (\x -> loop h = x for v in w do f64.tanh (v[0] * h + v[1] * x)) xs)
  in vjp2 loss (map (\z -> [z[0], z[n - 1]]) zt) 1 |> \(y, g) -> (y, g, zs[0, 0])

-- The rows are of a constant length: what they keep fits the stack.
entry short [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  let loss (a: f64) = f64.sum (map (\x -> loop s = x for i < 40i64 do s + a * f64.sin s / f64.i64 (i + 1)) xs)
  in vjp2 loss zs[0, 0] 1

-- No order is free here.
entry ordered [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  loop (s, a) = (1e17, copy zs[0]) for i < n do
    let r = loop r = xs[i] for z in zs[i] do r * z + 0.1
    let a = loop a for j < k do a with [j] = a[j] + r * 1e15 * f64.i64 j
    in (s + r - 1e17 * f64.bool (i % 2 == 0), a)

-- Sums in sums: the iterations of the outer loop that fill no vectors have the inner ones in lanes.
entry nested [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  let sums = map (\x -> let c = f64.tanh x
                        in f64.sum (map (\y -> loop s = 0 for z in zs[0] do c + 0.3 * s * y + 0.1 * c * s * z) xs)) xs
  in (sums, f64.sum sums)

-- What the way back needs is computed again: from a value that is used elsewhere, two of them, ...
def squares [n][k] (xs: [n]f64) (f: [k]f64 -> f64 -> f64) (cs: [k]f64) : f64 = f64.sum (map (\x -> f cs x ** 2) xs)
entry again_one [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> (loop (s, p) = (0, x) for c in cs do (s + c * p, x - p)).0)) zs[n - 1] 1
entry again_two [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> (loop (s, a, b) = (0, 1, x) for c in cs do (s + c * a + c * c * b, a * x, b - x)).0)) zs[n - 1] 1

-- ... or kept, if it takes more operations or others need it, ...
entry again_more [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> (loop (s, p) = (0, x) for c in cs do (s + c * p, p * x + 0.5)).0)) zs[n - 1] 1
entry again_turns [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> (loop (s, a, b) = (0, 1, x) for c in cs do (s + c * (a + c * b), -b, a * x)).0)) zs[n - 1] 1
entry again_index [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> (loop (s, p) = (0, x) for i < k do (s + cs[i] * p, p * xs[i % n])).0)) zs[n - 1] 1

-- ... with its last value used, from one that is used once, and in single precision.
entry again_last [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> let (s, p) = loop (s, p) = (0, 1) for c in cs do (s + c * p, p * x) in s * p)) zs[n - 1] 1
entry again_begin [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp2 (squares xs (\cs x -> (loop (s, p) = (0, x / 3) for c in cs do (s + c * p, p * x)).0)) zs[n - 1] 1
entry again_single [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  let ts = #[opaque] map f32.f64 xs
  let loss (cs: [k]f32) =
    f32.sum (map (\t -> (loop (s, p) = (0, t) for c in cs do (s + c * p, p * t)).0 ** 2) ts)
  in vjp2 loss (map f32.f64 zs[n - 1]) 1

-- Sums that keep their maximum, of columns: with a check that is the same for all, and a row's
-- element at a stride.
entry running [n][k] (xs: [n]f64) (rows: [n][k]f64) (columns: [k][n]f64) : [n]f64 =
  let add (top: f64, sum: f64) (x: f64) =
    if x <= top then (top, sum + f64.exp (x - top)) else (x, sum * f64.exp (top - x) + 1)
  in loop out = replicate n 0 for i < n do
       let (top, sum) = loop r = (-f64.inf, 0) for j < k do add r (columns[j, i] + xs[i])
       in out with [i] = top + f64.log sum + rows[i, 3 * k / 4]

-- Rows that go along by functions of what they wrote, several together: a column's element is read
-- at a stride.
def chained [n][k] (rows: [n][k]f64) (columns: [k][n]f64) : [n]f64 =
  map2 (\row i ->
          let out = loop h = copy row for j < k - 1 do
                      h with [j + 1] = f64.exp (-f64.abs h[j] - columns[j, i]) + h[j + 1]
          in out[k - 1]) rows (iota n)
entry chain [n][k] (_: [n]f64) (rows: [n][k]f64) (columns: [k][n]f64) : [n]f64 = chained rows columns
entry chain_gradient [n][k] (xs: [n]f64) (rows: [n][k]f64) (columns: [k][n]f64) : [n][k]f64 =
  vjp (\r -> chained r columns) rows xs

-- The derivative of sums that keep their maximum adds to elements of the iteration's own, adjacent and
-- at a stride.
entry running_gradient [n][k] (xs: [n]f64) (rows: [n][k]f64) (columns: [k][n]f64) : ([n][k]f64, [k][n]f64) =
  let add (top: f64, sum: f64) (x: f64) =
    if x <= top then (top, sum + f64.exp (x - top)) else (x, sum * f64.exp (top - x) + 1)
  let one (rows: [n][k]f64) (columns: [k][n]f64) (z: f64) =
    loop out = replicate n 0 for i < n do
      let (top, sum) = loop r = (-f64.inf, 0) for j < k do add r (columns[j, i] * z)
      in out with [i] = top + f64.log sum + rows[i, 3 * k / 4] * z
  in vjp (\(r, c) -> f64.sum (map f64.sum (map (one r c) xs))) (rows, columns) 1

-- Rows that a loop reads again and again, several together.
def reread_rows [n][k] (rows: [n][k]f64) (xs: [n]f64) : [n]f64 =
  map2 (\row x ->
          let out = loop h = replicate k x for i < k do
                      loop h = h for j < k - 1 do
                        h with [j + 1] = f64.exp (-f64.abs h[j] - row[i]) + row[j]
          in f64.sum out) rows xs
entry reread [n][k] (xs: [n]f64) (rows: [n][k]f64) (_: [k][n]f64) : [n]f64 = reread_rows rows xs
entry reread_gradient [n][k] (xs: [n]f64) (rows: [n][k]f64) (_: [k][n]f64) : [n][k]f64 =
  vjp (\r -> reread_rows r xs) rows xs

-- Functions of the elements that a recurrence goes through, at positions that are indices in single precision,
-- also where those are rounded.
def layered [k] (n: i64) (ps: [k]f32) (first: i64) : f32 =
  let at (x: f32) : f32 =
    (loop (t, c) = (1, 0) for p in ps do
       let a = 0.9 * f32.exp (-(x - p) * (x - p))
       in (t * (1 - a), c + t * a * p)).1
  in f32.sum (tabulate n (\i -> let d = at (0.01 * f32.i64 i) in d * d + 1e-9 * f32.i64 (i + first)))
entry layers_blended [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  layered n (#[opaque] map f32.f64 zs[0]) 16777215
entry layers_blended_gradient [n][k] (_: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp (\ps -> layered n ps 0) (#[opaque] map f32.f64 zs[0]) 1
entry rounded_indices [n][k] (_: [n]f64) (_: [n][k]f64) (_: [k][n]f64) : [n]f32 =
  tabulate n (\i -> (loop (t, s) = (f32.i64 (i + 16777215), 0) for _j < k do (t + 2, s + f32.sqrt t)).0)

-- Five numbers from step to step, and seven back: a filter of level and slope.
def trend [k] (q: f64) (r: f64) (ys: [k]f64) : f64 =
  (loop (l, s, a, b, c, sum) = (ys[0], 0, 1, 0, 1, 0) for y in ys do
     let l = l + s
     let (a, b, c) = (a + 2 * b + c + q, b + c, c + 0.1 * q)
     let f = a + r
     let e = y - l
     let (g, h) = (a / f, b / f)
     in (l + g * e, s + h * e, a * (1 - g), b * (1 - g), c - h * b, sum + f64.log f + e * e / f)).5

entry trends_gradient [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  vjp (\xs -> f64.sum (map2 (\x z -> trend (x * x) (1 + x * x) z) xs zs)) xs 1

-- What is kept of a known number of steps is on the stack, but for that of all lanes.
entry swings_gradient [n][k] (xs: [n]f64) (zs: [n][k]f64) (_: [k][n]f64) =
  let swing (a: f64) (x: f64) =
    loop (x, v) = (x, 0) for _i < 100i64 do
      let v = 0.99 * v - a * (x * f64.abs x + 0.01 * v * v)
      in (x + 0.1 * v, v)
  in vjp (\xs -> f64.sum (map2 (\x z -> (swing (0.1 + x * x) z[0]).0) xs zs)) xs 1
