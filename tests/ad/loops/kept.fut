-- Loops and sums inside of loops whose values the loop around keeps, so that they are not computed
-- again; sizes are not known, and arrays are there that have them.
-- ==
-- input { 4i64 3i64 } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { 1i64 1i64 } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { 3i64 0i64 } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { 0i64 2i64 } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/agree"

-- A state that the inner loop updates in place, and a value that it makes anew.
def layers [n][m] (w: [m][2]f64) (s: [n]f64) (x: [m]f64) : [m]f64 =
  (loop state = copy x for t < n do
     (loop (state, v) = (state, s[t]) for k < m do
        let h = f64.tanh (w[k, 0] * state[k] + v * w[k, 1])
        let state[k] = h
        in (state, h * v)).0)

-- The same, and what the inner loop gives is read afterwards.
def after [n][m] (s: [n]f64) (x: [m]f64) : [m]f64 =
  let (state, total) =
    loop (state, total) = (copy x, 1) for t < n do
      let (state, v) =
        loop (state, v) = (state, total) for k < m do
          let h = f64.sin (state[k] * s[t] + v)
          let state[k] = h
          in (state, h * 0.5 + v)
      in (state, total * v * f64.sum state * 0.1)
  in map (* total) state

-- Numbers, as many as the matrix has.
def numbers [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  let s = loop s = 0.5 for i < n do
    loop r = f64.cos s for j < m do f64.sin (r * a[i, j] + x[j])
  in map (+ s) x

-- Three loops.
def three [n][m] (a: [n][m][n]f64) (x: [m]f64) : [m]f64 =
  let s = loop s = 0.5 for i < n do
    loop r = f64.cos s for j < m do
      loop q = r * s for k < n do f64.sin (q * a[i, j, k] + x[j] * r)
  in map (* s) x

-- Three loops, the innermost one in place.
def sweeps [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  loop u = copy x for i < n do
    loop u for j < 2i64 do
      loop u for k < m do u with [k] = f64.sin (u[k] * a[i, k] + u[(k + j) % m])

-- A table for each iteration.
def tables [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  loop v = x for i < n do
    let t = loop t = replicate m 1 for j < m - 1 do
      t with [j + 1] = t[j] * f64.cos (v[j] + a[i, j])
    in map2 (\t v -> t * t + v * 0.5) t v

-- What is kept is consumed later in the iteration.
def consumed [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  loop v = x for i < n do
    let t = map (\b -> f64.sum (map2 (\a v -> f64.sin (a * v * b)) a[i] v)) v
    let t[m - 1] = t[m - 1] * v[0] + t[0] * t[0]
    in map2 (\t v -> t * v) t v

-- Sums, and maps of sums.
def products [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  loop v = x for i < n do
    let norm = f64.sqrt (1 + f64.sum (map (\v -> v * v) v))
    let w = map (\b -> f64.tanh (f64.sum (map2 (\a v -> a * v * b) a[i] v))) v
    in map2 (\w v -> w / norm + 0.1 * v) w v

-- Inside of a map.
def mapped [n][m] (a: [n][m]f64) (x: [m]f64) : [m]f64 =
  map (\y -> loop s = y for i < n do
    loop r = f64.cos s for j < m do f64.sin (r * a[i, j] + x[j] * s)) x

entry main (n: i64) (m: i64) =
  let number i = f64.sin (1.3 * f64.i64 i + 0.4)
  let x = tabulate m number
  let s = tabulate n (\i -> number (i + 5))
  let a = tabulate_2d n m (\i j -> number (i * 3 + j))
  let b = tabulate_3d n m n (\i j k -> number (i * 3 + j + 7 * k))
  let w = tabulate_2d m 2 (\i j -> number (i + 2 * j))
  in [agree_vector (layers w s) x,
      agree_vector (after s) x,
      agree_vector (numbers a) x,
      agree_vector (three b) x,
      agree_vector (sweeps a) x,
      agree_vector (tables a) x,
      agree_vector (\x -> if m == 0 then x else consumed a x) x,
      agree_vector (products a) x,
      agree_vector (mapped a) x,
      agree_second (\x -> f64.sum (layers w s x)) x,
      agree_second (\x -> f64.sum (three b x)) x,
      agree_second (\x -> f64.sum (after s x)) x]
