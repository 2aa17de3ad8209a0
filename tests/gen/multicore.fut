-- Regions of every kind, for tests/gen/multicore.sh: the results do not depend on the number of
-- threads, except for the rounding of floats.  `k` is at most n and not negative, indices are below n.
entry maps [n] (_: i64) (_: [n]i64) (xs: [n]f64) = (map (\x -> x * x + 1) xs, f64.sum xs)

entry several [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  let smaller (a, i) (b, j) = if a < b || (a == b && i < j) then (a, i) else (b, j)
  let (least, at) = reduce smaller (f64.inf, n) (zip xs (iota n))
  in (least, at, i64.sum is, i64.maximum is)

entry scans [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  let (last, all) = (scan (+) 0 is, scan f64.max (-f64.inf) xs)
  in (last, all, i64.sum last)

-- A scan whose inputs are costly.
entry scan_of_loops [n] (k: i64) (is: [n]i64) (_: [n]f64) =
  scan (+) 0 (map (\i -> loop s = i for j < k do (s * 31 + j) % 1013) is)

-- An operator that does not commute.
entry products [n] (_: i64) (is: [n]i64) (_: [n]f64) =
  let mul (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let ms = map (\i -> (i, 1, 1, 0)) is
  in (reduce mul (1, 0, 0, 1) ms, unzip4 (scan mul (1, 0, 0, 1) ms))

entry histograms [n] (k: i64) (is: [n]i64) (_: [n]f64) =
  ( reduce_by_index (replicate k 0) (+) 0i64 is (map (* 2) is)
  , reduce_by_index (replicate n (-1)) i64.max (-1) is (iota n)
  , (reduce_by_index_2d (replicate 4 (replicate 8 0)) (+) 0i64
                        (map (\i -> (i % 5, i % 9)) is) is))

entry scatters [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  (scatter (replicate n 0) (map (\i -> i / 2) (iota n)) (map (\i -> i / 2) (iota n))
  , scatter (copy xs) (map (\i -> if i % 5 == 0 then -1 else n - i) (iota n)) (map f64.i64 is))

entry kept [n] (_: i64) (is: [n]i64) (_: [n]f64) =
  (filter (\i -> i % 3 == 0) is, (partition (\i -> i % 2 == 0) is).1)

-- A reduction of arrays.
entry rows [n] (_: i64) (is: [n]i64) (_: [n]f64) =
  reduce (map2 (+)) (replicate 5 0) (map (\i -> map (\j -> i * j) (iota 5)) is)

entry nested [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  let a = map (\x -> map (\j -> x + f64.i64 j) (iota k)) xs
  in map (\r -> map (\c -> f64.sum (map2 (*) r c)) (take (i64.min 3 n) a)) a

-- Temporary arrays in each iteration, and loops around regions.
entry temporaries [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  map (\x -> let ys = loop ys = replicate k x for i < 5 do map (+ f64.i64 i) (reverse ys)
             in f64.sum ys + f64.sum (scan (+) 0 ys)) xs

entry steps [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  loop xs = copy xs for _i < k do map (\i -> 0.5 * xs[i] + 0.5 * xs[(i + 1) % n]) (iota n)

-- Rows of very different cost.
entry uneven [n] (_: i64) (_: [n]i64) (_: [n]f64) =
  map (\i -> loop s = i for j < i do (s * 31 + j) % 1013) (iota n)

entry gradient [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  vjp (\ys -> f64.sum (map (\i -> ys[i] * f64.sin ys[(i * 7) % n]) is)) xs 1

entry of_rows [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  vjp (\ys -> f64.sum (map (\i -> f64.sum (map (\j -> ys[(i + j) % n] ** 2) (iota k))) is)) xs 1

-- The index that is too large first, in the order of the program, is the one to complain about.
entry fails [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  map (\i -> xs[if i >= k then i + n else i]) (iota n)

entry sum [n] (_: i64) (_: [n]i64) (xs: [n]f64) = f64.sum (map (\x -> x * 1.1) xs)
