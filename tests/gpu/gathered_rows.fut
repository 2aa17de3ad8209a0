-- Rows that are gathered by index: a warp for each (more than 512 rows of 16 to 1024 elements), or a thread.  Several
-- sums of a row, arrays that it gives and those that it reads again, adds to gathered rows, integers, offsets.
-- ==
-- entry: small
-- input { 3i64 600i64 0i64 } output { true }
-- input { 3i64 600i64 1i64 } output { true }
-- input { 7i64 600i64 15i64 } output { true }
-- input { 7i64 600i64 31i64 } output { true }
-- input { 7i64 600i64 32i64 } output { true }
-- input { 7i64 600i64 33i64 } output { true }
-- input { 7i64 601i64 100i64 } output { true }
-- input { 7i64 511i64 33i64 } output { true }
-- input { 7i64 512i64 1024i64 } output { true }
-- input { 7i64 512i64 1025i64 } output { true }
-- input { 7i64 0i64 33i64 } output { true }
-- input { 7i64 1i64 33i64 } output { true }

-- ==
-- entry: adds
-- input { 3i64 600i64 0i64 } output { true }
-- input { 3i64 600i64 1i64 } output { true }
-- input { 7i64 600i64 31i64 } output { true }
-- input { 7i64 6000i64 32i64 } output { true }
-- input { 700i64 600i64 33i64 } output { true }
-- input { 7i64 5i64 33i64 } output { true }

-- ==
-- entry: checked
-- input { 600i64 33i64 -1i64 5i64 } error: Index \[
-- input { 600i64 33i64 7i64 599i64 } error: Index \[7\] out of bounds for array of shape \[7\]
-- input { 600i64 33i64 3i64 0i64 } output { 600i64 }
-- input { 600i64 3i64 8i64 0i64 } error: Index \[8\]

-- ==
-- entry: gradient
-- input { 7i64 600i64 31i64 } output { true }
-- input { 7i64 600i64 33i64 } output { true }
-- input { 7i64 600i64 1i64 } output { true }
-- input { 7i64 0i64 33i64 } output { true }
def table (n: i64) (d: i64) : [n][d]f32 = tabulate_2d n d (\i j -> f32.i64 ((i * 5 + j * 3) % 7))
def whole (n: i64) (d: i64) : [n][d]i64 = tabulate_2d n d (\i j -> (i * 5 + j * 3) % 7)
def from [m] (n: i64) : [m]i64 = tabulate m (\i -> (i * i + 3 * i) % n)
def to [m] (n: i64) : [m]i64 = tabulate m (\i -> (5 * i + 2) % n)

def rows [n] [d] [m] (x: [n][d]f32) (k: [n][d]i64) (a: [m]i64) (b: [m]i64) : [m](f32, [d]f32, [d]i64, i64) =
  map2 (\i j ->
          let w = f32.sum (map2 (\p q -> (p - q) * (p - q)) x[i] x[j])
          let most = i64.maximum (map2 (+) k[i] k[j])
          let y = map2 (\p q -> w * p + q) x[i] x[j]
          in (f32.maximum y, y, map (+ most) k[j], most))
       a
       b

-- The same, element by element.
def same_row [n] [d]
             (x: [n][d]f32)
             (k: [n][d]i64)
             (i: i64)
             (j: i64)
             (w: f32, y: [d]f32, l: [d]i64, s: i64) : bool =
  let dist = loop w = 0 for e < d do w + (x[i, e] - x[j, e]) * (x[i, e] - x[j, e])
  let most = loop s = i64.lowest for e < d do i64.max s (k[i, e] + k[j, e])
  let high = loop h = -f32.inf for e < d do f32.max h (dist * x[i, e] + x[j, e])
  let same =
    loop ok = true
    for e < d do
      ok && y[e] == dist * x[i, e] + x[j, e] && l[e] == k[j, e] + most
  in same && w == high && s == most

entry small (n: i64) (m: i64) (d: i64) : bool =
  let (x, k) = (table n d, whole n d)
  let (a, b) = #[opaque] (from n, to n) : ([m]i64, [m]i64)
  in and (map3 (same_row x k) a b (#[opaque] (rows x k a b)))

entry adds (n: i64) (m: i64) (d: i64) : bool =
  let k = whole n d
  let (a, b) = #[opaque] (from n, to n) : ([m]i64, [m]i64)
  let both = map2 (\i j -> let s = i64.sum (map2 (*) k[i] k[j]) in map (+ s) k[j]) a b
  let got = reduce_by_index (copy k) (map2 (+)) (replicate d 0) a (#[opaque] both)
  let expected =
    loop r = copy k
    for e < m do
      let (i, j) = (a[e], b[e])
      let s = loop s = 0 for q < d do s + k[i, q] * k[j, q]
      in r with [i] = map2 (\p q -> p + q + s) r[i] k[j]
  in and (map2 (\p q -> and (map2 (==) p q)) got expected)

entry checked (m: i64) (d: i64) (bad: i64) (at: i64) : i64 =
  let x = table 7 d
  let a = #[opaque] (tabulate m (\i -> if i == at then bad else i % 7))
  in i64.sum (map (\(s, y) -> i64.bool (s >= 0 && length y == d))
                  (#[opaque] (map (\i -> let s = f32.sum (map (\p -> p * p) x[i]) in (s, map (+ s) x[i])) a)))

-- Adds to gathered rows, and sums of them, in the return sweep.
def energy [n] [d] [m] (a: [m]i64) (b: [m]i64) (x: [n][d]f64) : f64 =
  f64.sum (map2 (\i j -> let s = f64.sum (map2 (\p q -> p * q) x[i] x[j]) in s * s) a b)

entry gradient (n: i64) (m: i64) (d: i64) : bool =
  let x = map (map f64.f32) (table n d)
  let (a, b) = #[opaque] (from n, to n) : ([m]i64, [m]i64)
  let got = vjp (energy a b) x 1
  let expected =
    loop r = replicate n (replicate d 0)
    for e < m do
      let (i, j) = (a[e], b[e])
      let s = 2 * (loop s = 0 for q < d do s + x[i, q] * x[j, q])
      let r = r with [i] = map2 (\p q -> p + s * q) r[i] x[j]
      in r with [j] = map2 (\p q -> p + s * q) r[j] x[i]
  in and (map2 (\p q -> and (map2 (==) p q)) got expected)
