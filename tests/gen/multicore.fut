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

-- Sums in arrays that are too large for private copies; one place that most go to.
entry sums [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  let costly x = f64.sin x + f64.exp x + f64.cos (x + 1) + f64.log (x + 2)
  let into 't k (f: i64 -> i64) (op: t -> t -> t) (ne: t) (vs: [n]t) =
    reduce_by_index (replicate (k * n) ne) op ne (map f is) vs
  in ( into 60 id (+) 0 (map (\i -> i64.f64 (costly (f64.i64 i))) is)
     , into 70 id (+) 0 (map costly xs)
     , into 50 (% 2) (+) 0 (map costly xs)
     , into 80 (* 2) (+) 0 (map (f32.f64 <-< costly) xs)
     , into 90 (+ 3) (+) 0 (map (i32.f64 <-< costly) xs)
     , into 30 id (+) 0 is)

-- Sums of neighbours.
entry neighbours [n] (_: i64) (_: [n]i64) (xs: [n]f64) =
  ( vjp (\ys -> f64.sum (map (\i -> ys[i] * ys[i + 1] * f64.sin ys[i + 3]) (iota (i64.max 0 (n - 3))))) xs 1
  , vjp (\ys -> f64.sum (map (\i -> ys[i] * (if i >= 2 then ys[i - 2] else 1)) (iota n))) xs 1
  , vjp (\ys -> f64.sum (map (\i -> f64.cos ys[i] * xs[i]) (iota n))) xs 1)

entry neighbours_around [n] (_: i64) (_: [n]i64) (xs: [n]f64) =
  ( vjp (\ys -> f64.sum (map (\i -> ys[i] * xs[i] * ys[(i + 1) % n]) (iota n))) xs 1
  , vjp (\ys -> f64.sum (map (\i -> ys[(i + n - 2) % n] * f64.sin ys[(i + 3) % n] + xs[(i + 40) % n]) (iota n))) xs 1
  , vjp (\ys -> f64.sum (map (\i -> if i == 0 then ys[i] else ys[i] * ys[i - 1]) (iota n))) xs 1)

-- Rows that add to rows near by, in loops.
entry neighbouring_rows [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  let m = i64.min 9 (k + 2)
  let a = map (\x -> map (\j -> x * f64.i64 j) (iota m)) xs
  in ( vjp (\a -> f64.sum (map (\i -> f64.sum (map (\j -> a[i, j] * a[i + 1, j + 1]) (iota (m - 1)))) (iota (n - 1)))) a 1
     , vjp (\a -> f64.sum (map (\i -> loop s = 0 for j < m do s + a[i, j] * a[(i - 1) % n, (j + 1) % m]) (iota n))) a 1)

entry sums_of_loops [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  vjp (\ys -> f64.sum (map (\i -> loop s = 0 for j < i64.min k 9 do s + f64.sin (ys[(i * 7 + j) % (40 * n)])) is))
      (map (\i -> xs[i % n]) (iota (40 * n))) 1

entry scatters [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  (scatter (replicate n 0) (map (\i -> i / 2) (iota n)) (map (\i -> i / 2) (iota n))
  , scatter (copy xs) (map (\i -> if i % 5 == 0 then -1 else n - i) (iota n)) (map f64.i64 is))

-- Scans together with what takes their results: sorting by digits; results that are needed later
-- too; several arrays and rows; a total that decides where to write; one that does not.
entry sorted [n] (_: i64) (is: [n]i64) (_: [n]f64) =
  loop is = copy is for bit < 10 do
    let ones = map (\i -> i >> bit & 1) is
    let (c0, c1) = (scan (+) 0 (map (1 -) ones), scan (+) 0 ones)
    let n0 = if n == 0 then 0 else last c0
    in scatter (copy is) (map3 (\b i j -> if b == 0 then i - 1 else n0 + j - 1) ones c0 c1) is

entry placed [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  let at = scan (+) 0 (map (\i -> 1 + i % 2) is) -- no place twice: which write wins is open
  let total = if n == 0 then 0 else at[n - 1]
  let ys = scatter (replicate (2 * n) 0) at xs
  in (at, total, ys, reverse at)

entry averages [n] (_: i64) (is: [n]i64) (_: [n]f64) =
  let sums = scan (+) 0 is
  in (map2 (\s i -> s * 3 + i) sums is, if n == 0 then 0 else last sums)

entry kept_rows [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  let rows = map2 (\i x -> [x, f64.i64 i, 1]) is xs
  let some = filter (\(i, r) -> i % 5 > 1 && r[0] > -0.5) (zip is rows)
  let (a, b, c) = partition2 (\i -> i % 4 == 0) (\i -> i % 3 == 0) is
  in (unzip some, a, b, c, filter (const false) is, filter (const true) is)

-- Results that are written into another array, which chunks of rows read as well.
entry factors [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  let m = i64.min n 60
  let a = tabulate_2d m m (\i j -> if i == j then 9 else xs[(i * 7 + j) % n])
  in loop a for k < i64.min m (k + 1) do
       let l = map (/ a[k, k]) a[k + 1:, k]
       let u = copy a[k, k + 1:]
       let rest = map2 (\row f -> map2 (\x y -> x - f * y) row u) a[k + 1:, k + 1:] l
       let a[k + 1:, k] = l
       let a[k + 1:, k + 1:] = rest
       in a

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
-- Conditions on the number of the row, of which only some are about the ends.
entry conditions [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  let m = k + 1
  in unzip4 (map (\i -> (i == m, if i == 0 then 1 else xs[i - 1], i < k, if i + 1 < n then i64.max i k else i64.min i m))
                 (iota n))

-- Copies and fills of few rows.
entry few_rows [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  let a = [map (+ 1) xs, xs]
  let b = copy a with [k % 2, 0] = 7
  in (a, b, replicate 3 (replicate n 4i32), replicate 2 b, copy (transpose b) with [0, 1] = 3)

entry uneven [n] (_: i64) (_: [n]i64) (_: [n]f64) =
  map (\i -> loop s = i for j < i do (s * 31 + j) % 1013) (iota n)

entry gradient [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  vjp (\ys -> f64.sum (map (\i -> ys[i] * f64.sin ys[(i * 7) % n]) is)) xs 1

entry of_rows [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  vjp (\ys -> f64.sum (map (\i -> f64.sum (map (\j -> ys[(i + j) % n] ** 2) (iota k))) is)) xs 1

-- Irregular maps, with lengths that are known before the segments, and not.
entry irregular [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  let (lengths, flags, offsets, elements) =
    flatmap' (\(i, x) -> map (\j -> x * f64.i64 (j + k)) (iota (i % 7))) (zip is xs)
  in (lengths, flags, offsets, elements)

entry irregular_filters [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  let (lengths, _, offsets, elements, others) =
    flatmap (\(i, x) -> let ys = filter (> 0) (map (\j -> x + f64.i64 (j - k % 5)) (iota (i % 9)))
                        in (map (\y -> [y, x]) ys, f64.sum ys))
            (zip is xs)
  in (lengths, offsets, elements, others)

entry irregular_fails [n] (k: i64) (is: [n]i64) (_: [n]f64) =
  let (lengths, _, _, elements) =
    flatmap' (\i -> iota (if i == k then 0 - i else i % 3)) (map2 (\i j -> i + j * 0) (iota n) is)
  in (lengths, elements)

-- The index that is too large first, in the order of the program, is the one to complain about.
entry fails [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  map (\i -> xs[if i >= k then i + n else i]) (iota n)

-- What a failure leaves behind of sums does not count later.
entry sums_fails [n] (k: i64) (_: [n]i64) (xs: [n]f64) =
  reduce_by_index (replicate (70 * n) 0) (+) 0 (map (* 3) (iota n))
                  (map (\i -> xs[if i >= k then i + n else i]) (iota n))

entry sum [n] (_: i64) (_: [n]i64) (xs: [n]f64) = f64.sum (map (\x -> x * 1.1) xs)

-- Scans of arrays.
entry scans_of_rows [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  let m = i64.min 5 (k + 1)
  let rows = map2 (\i x -> map (\j -> x + f64.i64 (i + j)) (iota m)) is xs
  let (a, b) = unzip (scan (\(a, b) (c, d) -> (map2 (+) a c, b + d)) (replicate m 0, 0) (zip rows is))
  let least = scan (\a b -> if a[0] < b[0] then a else b) (replicate m f64.inf) rows
  in (a, b, least, scan (\_ y -> y) (replicate m 0) rows, scan (\a b -> map2 f64.max (copy a) b) (replicate m (-f64.inf)) (map (map (* 0.5)) rows))

-- Rows at the ends are not like others.
entry ends [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  let at i = xs[i64.max 0 (i64.min (n - 1) i)]
  in ( map (\i -> at (i - 1) + 2 * at i + 3 * at (i + 1)) (iota n)
     , map (\i -> if i == 0 then 7 else if i == n - 1 then 8 else xs[i - 1] - xs[i + 1]) (iota n)
     , map (\i -> if i < 2 then at (i + 2) else if i >= n - 3 then at (i - 3) else xs[i - 2] * xs[i + 3]) (iota n)
     , map2 (\i j -> if i < k then xs[i] else if 3 <= i && i != n - 2 then at (i + 1) + f64.i64 j else 0) (iota n) is
     , map (\i -> if 1 > i || k == i then 1 else xs[i - 1]) (iota n)
     , f64.sum (map (\i -> if i > 0 && i + 1 < n then xs[i - 1] * xs[i + 1] else 0.5) (iota n)))

-- Rows that take the steps of a recurrence together, strips of them, and derivatives of that.
entry recurrences [n] (_: i64) (is: [n]i64) (xs: [n]f64) =
  let run (w: [3][3]f64) (h: [3]f64) =
    loop h for _i < 4i64 do map (\row -> f64.tanh (f64.sum (map2 (*) row h))) w
  let w = [[0.5, 0.1, -0.2], [0, 0.7, 0.3], [-0.4, 0.2, 0.9]]
  let rows = map2 (\i x -> [x, f64.i64 (i % 3), 1]) is xs
  let (dw, drows) = vjp (\(w, rows) -> f64.sum (flatten (map (run w) rows))) (w, rows) 1
  in (map (run w) rows, dw, drows)
