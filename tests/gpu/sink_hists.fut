-- Histograms of what a map makes, numbers or rows that it gathers: added as they are made; of rows, or into several
-- arrays, where there are many places.  Places that are out of bounds, numbers that are wanted besides, several
-- histograms, one that goes on with another one, few places, checks that fail.
-- ==
-- entry: messages
-- input { 1024i64 17i64 5000i64 } output { true }
-- input { 500i64 40i64 4999i64 } output { true }
-- input { 7i64 33i64 5000i64 } output { true }
-- input { 1024i64 16i64 100i64 } output { true }
-- input { 1i64 0i64 0i64 } output { true }

-- ==
-- entry: fails
-- input { 1024i64 17i64 5000i64 1024i64 } error: Index \[1024\] out of bounds for array of shape \[1024\]
-- input { 1024i64 17i64 5000i64 3i64 } output { 5000i64 }

-- ==
-- entry: gradient
-- input { 1024i64 17i64 5000i64 } output { true }

-- ==
-- entry: ends
-- input { 20000i64 5000i64 } output { true }
-- input { 17i64 5000i64 } output { true }
-- input { 1i64 0i64 } output { true }
def table (n: i64) (d: i64) : [n][d]i64 = tabulate_2d n d (\i j -> (i * 5 + j * 3) % 7)
def from [m] (n: i64) : [m]i64 = tabulate m (\i -> (i * i + 3 * i) % n)
def to [m] (n: i64) : [m]i64 = tabulate m (\i -> (5 * i + 2) % n)

-- Some go to places before the first and behind the last one.
entry messages (n: i64) (d: i64) (m: i64) : bool =
  let x = #[opaque] (table n d)
  let (a, b) = #[opaque] (from n, to n) : ([m]i64, [m]i64)
  let at = map (\j -> j * 2 - n / 2) b
  let (w, rows) =
    unzip (map2 (\i j ->
                   let w = i64.sum (map2 (\p q -> (p - q) * (p - q)) x[i] x[j])
                   in (w, map (* w) x[i]))
                a
                b)
  let total = reduce_by_index (copy x) (map2 (+)) (replicate d 0) b rows
  let other = reduce_by_index (replicate n (replicate d 1)) (map2 (+)) (replicate d 0) at rows
  let sums = reduce_by_index (replicate n 1) (+) 0 b w
  let most = i64.maximum (#[opaque] w)
  let (total', other', sums', most') =
    loop (t, o, s, h) = (copy x, replicate n (replicate d 1), replicate n 1, i64.lowest)
    for e < m do
      let (i, j) = (a[e], b[e])
      let k = at[e]
      let w = loop w = 0 for q < d do w + (x[i, q] - x[j, q]) * (x[i, q] - x[j, q])
      let t = t with [j] = map2 (\p q -> p + q * w) t[j] x[i]
      let o = if 0 <= k && k < n then o with [k] = map2 (\p q -> p + q * w) o[k] x[i] else o
      in (t, o, s with [j] = s[j] + w, i64.max h w)
  in and (map2 (\p q -> and (map2 (==) p q)) total total')
     && and (map2 (\p q -> and (map2 (==) p q)) other other')
     && and (map2 (==) sums sums')
     && most == most'

entry fails (n: i64) (d: i64) (m: i64) (bad: i64) : i64 =
  let x = #[opaque] (table n d)
  let (a, b) = #[opaque] (tabulate m (\i -> if i == m - 1 then bad else i % n), to n) : ([m]i64, [m]i64)
  let rows = map (\i -> let w = i64.sum x[i] in map (+ w) x[i]) a
  let total = #[opaque] (reduce_by_index (copy x) (map2 (+)) (replicate d 0) b rows)
  in if i64.sum (flatten total) == -1 then 0 else m

def energy [n] [d] [m] (a: [m]i64) (b: [m]i64) (x: [n][d]f64) : f64 =
  let w = map2 (\i j -> f64.sum (map2 (*) x[i] x[j])) a b
  let sum = reduce_by_index (replicate n 1) (+) 0 b w
  let rows = map2 (\i w -> map (* w) x[i]) a w
  let total = reduce_by_index (copy x) (map2 (+)) (replicate d 0) b rows
  in f64.sum (map2 (\r s -> s * s + f64.sum (map (\v -> v * v) r)) total sum)

-- With a table of small numbers all sums are exact.
entry gradient (n: i64) (d: i64) (m: i64) : bool =
  let x = map (map f64.i64) (table n d)
  let (a, b) = #[opaque] (from n, to n) : ([m]i64, [m]i64)
  let got = #[opaque] (vjp (energy a b) x 1)
  let (t, s) =
    loop (t, s) = (copy x, replicate n 1)
    for e < m do
      let (i, j) = (a[e], b[e])
      let w = loop w = 0 for q < d do w + x[i, q] * x[j, q]
      in (t with [j] = map2 (\p q -> p + w * q) t[j] x[i], s with [j] = s[j] + w)
  let expected =
    loop r = map (map (* 2)) t
    for e < m do
      let (i, j) = (a[e], b[e])
      let w = loop w = 0 for q < d do w + x[i, q] * x[j, q]
      let u = 2 * s[j] + 2 * (loop u = 0 for q < d do u + t[j, q] * x[i, q])
      let r = r with [i] = map3 (\p q y -> p + u * q + 2 * w * y) r[i] x[j] t[j]
      in r with [j] = map2 (\p q -> p + u * q) r[j] x[i]
  in and (map2 (\p q -> and (map2 (==) p q)) got expected)

-- Of numbers: an array that both ends add to, and two arrays, one of them of maxima.
entry ends (n: i64) (m: i64) : bool =
  let x = #[opaque] (tabulate n (\i -> (i * 7) % 13))
  let (a, b) = #[opaque] (from n, map (\j -> j * 3 - n) (to n)) : ([m]i64, [m]i64)
  let pull i j = if j < 0 || j >= n then 9 else 3 * (x[j] - x[i])
  let (p, q) = unzip (map2 (\i j -> let w = pull i j in (w, w % 5)) a b)
  let h = reduce_by_index (copy x) (+) 0 a p
  let both = #[opaque] (reduce_by_index h (+) 0 b q)
  let (r, t) = unzip (map2 (\i j -> let w = pull i j in (w * w, w % 7)) a b)
  let sums = reduce_by_index (replicate n 0) (+) 0 a r
  let tops = reduce_by_index (replicate n 2) i64.max i64.lowest b t
  let (sums, tops) = #[opaque] (sums, tops)
  let (both', sums', tops') =
    loop (h, s, t) = (copy x, replicate n 0, replicate n 2)
    for e < m do
      let (i, j) = (a[e], b[e])
      let w = pull i j
      let h = h with [i] = h[i] + w
      let s = s with [i] = s[i] + w * w
      in if j < 0 || j >= n
         then (h, s, t)
         else (h with [j] = h[j] + w % 5, s, t with [j] = i64.max t[j] (w % 7))
  in and (map2 (==) both both') && and (map2 (==) sums sums') && and (map2 (==) tops tops')
