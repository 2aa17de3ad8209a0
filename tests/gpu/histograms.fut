-- Histograms and accumulators in rows of nests, beside loops that do the same one by one: few long rows, which blocks
-- share; many short ones; more bins than blocks have memory for; indices out of range.
def place (bins: i64) (r: i64) (i: i64) : i64 = (r * 31 + i * i * 7 + i) % (bins + 3) - 1
def value (r: i64) (i: i64) : i64 = (r * 13 + i * 5) % 17 - 8

-- The number of elements that differ.
def differ [n] 't (eq: t -> t -> bool) (xs: [n]t) (ys: [n]t) : i64 =
  i64.sum (map2 (\x y -> i64.bool (!(eq x y))) xs ys)

def one_by_one [n] [k] 't (op: t -> t -> t) (dest: [k]t) (is: [n]i64) (vs: [n]t) : [k]t =
  loop d = copy dest for (i, v) in zip is vs do
    if 0 <= i && i < k then d with [i] = op (copy d[i]) v else d

def check [n] [m] [k] 't (eq: t -> t -> bool) (op: t -> t -> t) (ne: t) (dest: [k]t)
                         (iss: [n][m]i64) (vss: [n][m]t) : i64 =
  let got = map2 (\is vs -> reduce_by_index (copy dest) op ne is vs) (opaque iss) (opaque vss)
  let want = map2 (one_by_one op dest) iss vss
  in i64.sum (map2 (differ eq) got want)

def places n m k = tabulate_2d n m (place k)

-- ==
-- entry: sums maxima bytes halves doubles first_maxima products
-- input { 3i64 5000i64 10i64 } output { 0i64 }
-- input { 1i64 4099i64 1000i64 } output { 0i64 }
-- input { 2i64 3000i64 30000i64 } output { 0i64 }
-- input { 300i64 7i64 5i64 } output { 0i64 }
-- input { 40i64 200i64 33i64 } output { 0i64 }
-- input { 5i64 0i64 4i64 } output { 0i64 }
-- input { 5i64 9i64 0i64 } output { 0i64 }
-- input { 0i64 9i64 4i64 } output { 0i64 }
entry sums (n: i64) (m: i64) (k: i64) : i64 =
  check (==) (+) 0 (tabulate k i32.i64) (places n m k) (tabulate_2d n m (\r i -> i32.i64 (value r i)))

entry maxima (n: i64) (m: i64) (k: i64) : i64 =
  check (==) f32.max (-f32.inf) (replicate k (-f32.inf)) (places n m k)
        (tabulate_2d n m (\r i -> f32.i64 (value r i)))

entry bytes (n: i64) (m: i64) (k: i64) : i64 =
  check (==) (+) 0 (replicate k 3) (places n m k) (tabulate_2d n m (\r i -> i8.i64 (value r i)))

entry halves (n: i64) (m: i64) (k: i64) : i64 =
  check (==) f16.min f16.inf (replicate k f16.inf) (places n m k)
        (tabulate_2d n m (\r i -> f16.i64 (value r i)))

entry doubles (n: i64) (m: i64) (k: i64) : i64 =
  check (==) (+) 0 (replicate k 0.5) (places n m k) (tabulate_2d n m (\r i -> f64.i64 (value r i)))

entry first_maxima (n: i64) (m: i64) (k: i64) : i64 =
  let op (x, i) (y, j) : (f32, i64) =
    if x > y || (x == y && i <= j) then (x, i) else (y, j)
  in check (==) op (-f32.inf, i64.highest) (replicate k (-f32.inf, i64.highest)) (places n m k)
           (tabulate_2d n m (\r i -> (f32.i64 (value r i), i)))

entry products (n: i64) (m: i64) (k: i64) : i64 =
  check (==) (*) 1 (replicate k 1) (places n m k) (tabulate_2d n m (\r i -> 2 * i32.i64 (value r i) + 1))

-- Many rows.
-- ==
-- entry: sums first_maxima
-- input { 70000i64 3i64 2i64 } output { 0i64 }

-- Rows that are added to bins.
-- ==
-- entry: rows sixteen three dest_rows dear
-- input { 3000i64 20i64 10i64 } output { 0i64 }
-- input { 3000i64 20i64 3000i64 } output { 0i64 }
-- input { 70i64 1i64 2i64 } output { 0i64 }
-- input { 0i64 4i64 3i64 } output { 0i64 }
-- input { 10i64 0i64 3i64 } output { 0i64 }
-- input { 10i64 4i64 0i64 } output { 0i64 }
def check_rows [n] [m] [k] (dest: [k][m]i32) (is: [n]i64) (vs: [n][m]i32) : i64 =
  let got = reduce_by_index (copy dest) (map2 (+)) (replicate m 0) (opaque is) (opaque vs)
  let want = one_by_one (map2 (+)) dest is vs
  in i64.sum (map2 (differ (==)) got want)

entry rows (n: i64) (m: i64) (k: i64) : i64 =
  check_rows (replicate k (replicate m 0)) (tabulate n (place k 1))
             (tabulate_2d n m (\r i -> i32.i64 (value r i)))

entry sixteen (n: i64) (_: i64) (k: i64) : i64 =
  check_rows (replicate k (replicate 16 0)) (tabulate n (place k 1))
             (tabulate_2d n 16 (\r i -> i32.i64 (value r i)))

entry three (n: i64) (_: i64) (k: i64) : i64 =
  check_rows (replicate k (replicate 3 0)) (tabulate n (place k 1))
             (tabulate_2d n 3 (\r i -> i32.i64 (value r i)))

entry dest_rows (n: i64) (m: i64) (k: i64) : i64 =
  check_rows (tabulate_2d k m (\i j -> i32.i64 (i - j))) (tabulate n (place k 1))
             (tabulate_2d n m (\r i -> i32.i64 (value r i)))

-- The index and the row take some work.
entry dear (n: i64) (m: i64) (k: i64) : i64 =
  let vs = opaque (tabulate_2d n m (\r i -> i32.i64 (value r i)))
  let place_of v = (loop s = 1 for x in v do (s * 5 + i64.i32 x) % 1009) % (k + 1)
  let row_of v = map (\s -> s & 1023) (scan (\a b -> a * 3 + b) 0 v)
  let got = reduce_by_index (replicate k (replicate m 0)) (map2 (+)) (replicate m 0) (map place_of vs)
                            (map row_of vs)
  let want = one_by_one (map2 (+)) (replicate k (replicate m 0)) (map place_of vs) (map row_of vs)
  in i64.sum (map2 (differ (==)) got want)

-- Another neutral element, and two values in each.
-- ==
-- entry: both
-- input { 3000i64 20i64 10i64 } output { 0i64 }
-- input { 10i64 4i64 0i64 } output { 0i64 }
entry both (n: i64) (m: i64) (k: i64) : i64 =
  let op (a: [m](i32, f32)) b = map2 (\(x, y) (z, w) -> (i32.max x z, y + w)) a b
  let ne = replicate m (i32.lowest, 0)
  let is = opaque (tabulate n (place k 1))
  let vs = opaque (tabulate_2d n m (\r i -> (i32.i64 (value r i), f32.i64 (value i r))))
  let got = reduce_by_index (replicate k ne) op ne is vs
  in i64.sum (map2 (differ (==)) got (one_by_one op (replicate k ne) is vs))

-- A neutral element that is not the same everywhere, though any would do.
-- ==
-- entry: odd_neutral
-- input { 300i64 20i64 10i64 } output { 0i64 }
entry odd_neutral (n: i64) (m: i64) (k: i64) : i64 =
  let op (a: [m]i32) b = map2 (\x y -> i32.max 0 (i32.max x y)) a b
  let ne = opaque (tabulate m (\i -> i32.i64 (-i)))
  let is = opaque (tabulate n (place k 1))
  let vs = opaque (tabulate_2d n m (\r i -> i32.i64 (value r i)))
  let got = reduce_by_index (replicate k (replicate m 0)) op ne is vs
  in i64.sum (map2 (differ (==)) got (one_by_one op (replicate k (replicate m 0)) is vs))

-- Both: histograms of rows in rows, and three dimensions of rows.
-- ==
-- entry: rows_in_rows three_deep two_indices
-- input { 4i64 900i64 10i64 } output { 0i64 }
-- input { 30i64 20i64 3000i64 } output { 0i64 }
-- input { 0i64 20i64 3i64 } output { 0i64 }
-- input { 3i64 0i64 3i64 } output { 0i64 }
entry rows_in_rows (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (places n m k)
  let vss = opaque (tabulate_3d n m 9 (\r i j -> value (r + j) i))
  let dest = replicate k (replicate 9 0)
  let got = map2 (\is vs -> reduce_by_index (copy dest) (map2 (+)) (replicate 9 0) is vs) iss vss
  let want = map2 (one_by_one (map2 (+)) dest) iss vss
  in i64.sum (map2 (\g w -> i64.sum (map2 (differ (==)) g w)) got want)

entry three_deep (n: i64) (m: i64) (k: i64) : i64 =
  let isss = opaque (tabulate_3d n 3 m (\q r i -> place k (q + r) i))
  let vsss = opaque (tabulate_3d n 3 m (\q r i -> value (q * r) i))
  let got = map2 (map2 (\is vs -> reduce_by_index (replicate k 0) (+) 0 is vs)) isss vsss
  let want = map2 (map2 (one_by_one (+) (replicate k 0))) isss vsss
  in i64.sum (map2 (\g w -> i64.sum (map2 (differ (==)) g w)) got want)

entry two_indices (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (places n m k)
  let vss = opaque (tabulate_2d n m value)
  let got = map2 (\is vs -> reduce_by_index_2d (replicate k (replicate 4 0)) (+) 0
                                               (map2 (\i v -> (i, v % 4)) is vs) vs) iss vss
  let flat_want is vs = one_by_one (+) (replicate (k * 4) 0)
                                   (map2 (\i v -> if v % 4 < 0 then -1 else i * 4 + v % 4) is vs) vs
  in i64.sum (map3 (\g is vs -> differ (==) (sized (k * 4) (flatten g)) (flat_want is vs)) got iss vss)

-- Scatter in rows; a row's places are different.
-- ==
-- entry: scatters
-- input { 3i64 500i64 10i64 } output { 0i64 }
-- input { 300i64 7i64 5i64 } output { 0i64 }
-- input { 3i64 0i64 5i64 } output { 0i64 }
entry scatters (n: i64) (m: i64) (_: i64) : i64 =
  let iss = opaque (tabulate_2d n m (\r i -> (i * 2 + r) % (2 * m + 1) - 1))
  let vss = opaque (tabulate_2d n m value)
  let got = map2 (\is vs -> scatter (replicate m 0) is vs) iss vss
  let want = map2 (one_by_one (\_ y -> y) (replicate m 0)) iss vss
  in i64.sum (map2 (differ (==)) got want)

-- Histograms after other parallel work of the row, and with an operator that needs a value of the row.
-- ==
-- entry: after_sum other_operator in_loop
-- input { 3i64 5000i64 10i64 } output { 0i64 }
-- input { 300i64 7i64 5i64 } output { 0i64 }
entry after_sum (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (places n m k)
  let vss = opaque (tabulate_2d n m value)
  let got = map2 (\is vs -> let s = i64.sum vs
                            let h = reduce_by_index (replicate k s) (+) 0 is (map (+ s) vs)
                            in scan (+) 0 h) iss vss
  let want = map2 (\is vs -> let s = loop s = 0 for v in vs do s + v
                             let h = one_by_one (+) (replicate k s) is (map (+ s) vs)
                             in scan (+) 0 h) iss vss
  in i64.sum (map2 (differ (==)) got want)

entry other_operator (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (places n m k)
  let vss = opaque (tabulate_2d n m value)
  let op r x y = i64.max (i64.max x y) (r - 5)
  let got = map3 (\r is vs -> reduce_by_index (replicate k (r - 5)) (op r) (r - 5) is vs) (iota n) iss vss
  let want = map3 (\r is vs -> one_by_one (op r) (replicate k (r - 5)) is vs) (iota n) iss vss
  in i64.sum (map2 (differ (==)) got want)

entry in_loop (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (places n m k)
  let vss = opaque (tabulate_2d n m value)
  let step (h: *[k]i64) (is: [m]i64) (vs: [m]i64) : *[k]i64 = reduce_by_index h (+) 0 is vs
  let got = map2 (\is vs -> loop h = replicate k 0 for _i < 3i32 do step h is vs) iss vss
  let want = map2 (\is vs -> map (* 3) (one_by_one (+) (replicate k 0) is vs)) iss vss
  in i64.sum (map2 (differ (==)) got want)

-- Derivatives: of reads at computed places in rows, of rows, and of histograms in rows.
-- ==
-- entry: gathered gathered_rows histogrammed histogrammed_rows
-- input { 3i64 5000i64 10i64 } output { 0i64 }
-- input { 300i64 7i64 5i64 } output { 0i64 }
-- input { 2i64 300i64 30000i64 } output { 0i64 }
-- input { 2i64 0i64 3i64 } output { 0i64 }
def inside (k: i64) (r: i64) (i: i64) : i64 = (r * 31 + i * i * 7 + i) % k

entry gathered (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (tabulate_2d n m (inside k))
  let xss = opaque (tabulate_2d n k (\r i -> f64.i64 (value r i)))
  let f xss = map2 (\xs is -> map (\i -> xs[i] * xs[i]) is) xss iss
  let got = vjp f xss (replicate n (replicate m 1))
  let want = map2 (\xs is -> one_by_one (+) (replicate k 0) is (map (\i -> 2 * xs[i]) is)) xss iss
  in i64.sum (map2 (differ (==)) got want)

entry gathered_rows (n: i64) (m: i64) (k: i64) : i64 =
  let is = opaque (tabulate m (inside k n))
  let xss = opaque (tabulate_2d k 11 (\r i -> f64.i64 (value r i)))
  let f xss = map (\i -> f64.sum (map (\x -> x * x) xss[i])) is
  let got = vjp f xss (replicate m 1)
  let want = one_by_one (map2 (+)) (replicate k (replicate 11 0)) is (map (\i -> map (* 2) xss[i]) is)
  in i64.sum (map2 (differ (==)) got want)

entry histogrammed (n: i64) (m: i64) (k: i64) : i64 =
  let iss = opaque (places n m k)
  let vss = opaque (tabulate_2d n m (\r i -> f64.i64 (value r i)))
  let f vss = map2 (\is vs -> reduce_by_index (replicate k 0) (+) 0 is (map (\v -> v * v) vs)) iss vss
  let got = vjp f vss (tabulate_2d n k (\_ i -> f64.i64 (i % 7)))
  let want = map2 (map2 (\i v -> if 0 <= i && i < k then 2 * v * f64.i64 (i % 7) else 0)) iss vss
  in i64.sum (map2 (differ (==)) got want)

entry histogrammed_rows (n: i64) (m: i64) (k: i64) : i64 =
  let is = opaque (tabulate m (place k n))
  let vss = opaque (tabulate_2d m 9 (\r i -> f64.i64 (value r i)))
  let f vss = reduce_by_index (replicate k (replicate 9 0)) (map2 (+)) (replicate 9 0) is
                              (map (map (\v -> v * v)) vss)
  let got = vjp f vss (tabulate_2d k 9 (\i j -> f64.i64 (i % 7 + j)))
  let want = map2 (\i vs -> map2 (\j v -> if 0 <= i && i < k then 2 * v * f64.i64 (i % 7 + j) else 0) (iota 9) vs)
                  is vss
  in i64.sum (map2 (differ (==)) got want)

-- Rows that are made by cheap maps.
-- ==
-- entry: weighted outer_rows
-- input { 3000i64 20i64 10i64 } output { 0i64 }
-- input { 70i64 9i64 3000i64 } output { 0i64 }
-- input { 10i64 0i64 3i64 } output { 0i64 }
entry weighted (n: i64) (m: i64) (k: i64) : i64 =
  let is = opaque (tabulate n (place k 1))
  let ws = opaque (tabulate n (\i -> i32.i64 (value 1 i)))
  let vs = opaque (tabulate_2d n m (\r i -> i32.i64 (value r i)))
  let rows = map2 (\w v -> map (* w) v) ws vs
  let got = reduce_by_index (replicate k (replicate m 0)) (map2 (+)) (replicate m 0) is rows
  in i64.sum (map2 (differ (==)) got (one_by_one (map2 (+)) (replicate k (replicate m 0)) is rows))

entry outer_rows (n: i64) (m: i64) (k: i64) : i64 =
  let is = opaque (tabulate n (place k 1))
  let row i = tabulate m (\j -> i32.i64 (value i j))
  let (sums, tops) = unzip2 (reduce_by_index (replicate k (replicate m 0i32, replicate m i32.lowest))
                                      (\(a, b) (c, d) -> (map2 (+) a c, map2 i32.max b d))
                                      (replicate m 0, replicate m i32.lowest) is
                                      (map (\i -> (row i, row (i + 1))) (iota n)))
  let want_sums = one_by_one (map2 (+)) (replicate k (replicate m 0)) is (tabulate n row)
  let want_tops = one_by_one (map2 i32.max) (replicate k (replicate m i32.lowest)) is (tabulate n (\i -> row (i + 1)))
  in i64.sum (map2 (differ (==)) sums want_sums) + i64.sum (map2 (differ (==)) tops want_tops)

-- What the values are made of is changed afterwards.
-- ==
-- entry: changed
-- input { 3000i64 20i64 10i64 } output { 0i64 }
entry changed (n: i64) (m: i64) (k: i64) : i64 =
  let vs = opaque (tabulate_2d n m (\r i -> i32.i64 (value r i)))
  let pair (v: [m]i32) =
    let v = copy v
    let row = map (+ 1) v
    let v = loop v for i < m do v with [(i * 7) % m] = v[i] + 1
    in (i64.i32 v[0] % k, row)
  let (is, rows) = unzip (map pair vs)
  let got = reduce_by_index (replicate k (replicate m 0)) (map2 (+)) (replicate m 0) is rows
  let (want_is, want) = unzip (map pair vs)
  in i64.sum (map2 (differ (==)) got (one_by_one (map2 (+)) (replicate k (replicate m 0)) want_is want))
