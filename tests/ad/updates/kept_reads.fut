-- Arrays that loops update, of which numbers are kept as they are read: in while loops, loops whose
-- bounds differ, and loops around these.  Reverse mode agrees with forward mode, and so do second
-- derivatives.
-- ==
-- entry: insertion three_deep while_around two_whiles swapped compared rotated in_map twice
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6] }
-- output { true }
-- input { [0.5] }
-- output { true }
-- input { [0.5, 0.25] }
-- output { true }
-- input { empty([0]f64) }
-- output { true }

def close (a: f64) (b: f64) = f64.abs (a - b) <= 1e-11 * (1 + f64.abs a)
def unit n i = map (\j -> f64.bool (i == j)) (iota n)
def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let g = vjp f x 1
  let d = map (\i -> jvp f x (unit n i)) (iota n)
  let h = map (\i -> jvp (\y -> vjp f y 1) x (unit n i)) (iota n)
  let t = map (\i -> vjp (\y -> vjp f y 1) x (unit n i)) (iota n)
  in and (map2 close g d) && and (map2 close (flatten h) (flatten t))

def weighted [n] (a: [n]f64) = f64.sum (map2 (\i v -> f64.i64 (i + 1) * v * v) (iota n) a)

entry insertion [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    let v = a[i]
    let (a, j) = loop (a, j) = (a, i) while j > 0 && a[i64.max 0 (j - 1)] > v do
      (a with [j] = f64.sin a[j - 1], j - 1)
    in a with [j] = v * a[j])) x

entry three_deep [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    loop a for j < i do
      let at = (i + 2 * j) % n
      let u = a[at]
      let a = loop a for k in j..<i do
        a with [k] = 0.3 * a[k] * a[(k + 1) % n] + 0.1 * u
      in a with [at] = u * 0.5 + a[at] * a[i])) x

entry while_around [n] (x: [n]f64) = agree (\x ->
  let (a, _) = loop (a, c) = (copy x, 0) while c < n && a[i64.min c (n - 1)] > 0.1 do
    let a = loop a for j < c + 1 do a with [j] = f64.cos (a[j] * a[c])
    in (a, c + 1)
  in weighted a) x

entry two_whiles [n] (x: [n]f64) = agree (\x ->
  let (a, b) = loop (a, b) = (copy x, map (* 0.5) x) for i < n do
    let (a, b, c) = loop (a, b, c) = (a, b, i) while c < n && a[c] > b[i] do
      let u = a[c]
      let a[c] = 0.5 * u * b[c]
      in (a, b with [c] = 0.9 * b[c] + 0.1 * u * u, c + 1)
    let (a, d) = loop (a, d) = (a, c) while d > 0 do
      (a with [d - 1] = 0.7 * a[d - 1] + 0.2 * a[i] * a[d - 1], d - 2)
    in (a, b with [i] = b[i] * (1 + 0.1 * f64.i64 d))
  in weighted a + weighted b) x

entry swapped [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    loop a for j < n - i - 1 do
      let (u, v) = (a[j], a[j + 1])
      let a[j] = f64.min u v * 0.99
      in a with [j + 1] = f64.max u v)) x

entry compared [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for p < n do
    loop a for i < p do
      let (u, w) = (a[i], a[p] * 0.5 + 0.2)
      in a with [i] = if u < w then u else 0.9 * w + 0.1 * u)) x

entry rotated [n] (x: [n]f64) = agree (\x ->
  let m = map (\v -> map (\u -> 1 / (1 + u + v * v)) x) x
  in f64.sum (map weighted (loop m = copy m for p < n - 1 do
    loop m for q in p + 1..<n do
      let c = f64.cos m[p, q]
      let s = f64.sin (m[q, q] - m[p, p])
      in loop m for i < n do
        let (u, v) = (m[i, p], m[i, q])
        let m[i, p] = c * u - s * v
        in m with [i, q] = s * u + c * v))) x

entry in_map [n] (x: [n]f64) = agree (\x ->
  f64.sum (map (\v ->
    weighted (loop a = map (* v) x for i < n do
      loop a for j < i do a with [j] = a[j] * a[i] + 0.1)) x)) x

entry twice [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    let a = loop a for j < i do a with [j] = a[j] * f64.exp (-a[i])
    in loop a for j in i..<n do a with [j] = a[j] * a[i64.max 0 (j - 1)])) x

-- ==
-- entry: own_array fixed_nest read_outside unread counted_down
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6] }
-- output { true }
-- input { [0.5] }
-- output { true }
-- input { [0.5, 0.25] }
-- output { true }
-- input { empty([0]f64) }
-- output { true }
entry own_array [n] (x: [n]f64) = agree (\x ->
  f64.sum (loop r = replicate n 0 for i < n do
    let a = loop a = map (* x[i]) x for k < n do
      loop a for j < k do a with [j] = 0.5 * a[j] * a[k]
    in r with [i] = weighted a + (if i > 0 then r[i - 1] else 0))) x

entry fixed_nest [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    loop a for j < 3i64 do
      let at = (i * 7 + j * j) % n
      in a with [at] = f64.sin a[at] * a[(at + j) % n])) x

entry read_outside [n] (x: [n]f64) = agree (\x ->
  let (a, s) = loop (a, s) = (copy x, 0) for i < n do
    let u = a[i]
    let a = loop a for j < i do a with [j] = a[j] * u
    in (a, s + a[0] * a[i] * u)
  in weighted a + s) x

entry unread [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    loop a for j < i do a with [j] = 0.5 * a[j] + 0.25 * a[i])) x

entry counted_down [n] (x: [n]f64) = agree (\x ->
  let f = (\(a: *[n]f64) i -> (loop (a, c) = (a, i) while c > 0 do
             (a with [c - 1] = a[c - 1] * a[c], c / 2)).0)
  in weighted (loop a = copy x for i < n do f a i)) x
