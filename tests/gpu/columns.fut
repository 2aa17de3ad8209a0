-- Reductions of columns, of transposed matrices and by their indices.
-- ==
-- entry: main by_index in_rows
-- input { 0i64 5i64 } output { true }
-- input { 1i64 70i64 } output { true }
-- input { 1000i64 33i64 } output { true }
-- input { 777i64 1i64 } output { true }
-- input { 1001i64 300i64 } output { true }
-- input { 70i64 0i64 } output { true }

def value (i: i64) (j: i64) : i64 = (i * 7919 + j * 13) % 1009 - 500

def after (a: (i64, i64)) (b: (i64, i64)) : (i64, i64) = (a.0 * b.0 % 1013, (a.1 * b.0 + b.1) % 1013)

def down 't (n: i64) (op: t -> t -> t) (ne: t) (f: i64 -> t) : t = loop s = ne for i < n do op s (f i)

entry main (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n m value
  let ws = map (value 3) (iota n)
  let sums = map (reduce (+) 0) (transpose xs)
  let weighted = map (\c -> reduce (+) 0 (map2 (*) ws c)) (transpose xs)
  let maps = map (\c -> reduce after (1, 0) (map (\x -> (1 + x % 5, x)) c)) (transpose xs)
  in and (map2 (\j s -> s == down n (+) 0 (\i -> xs[i, j])) (iota m) sums) &&
     and (map2 (\j s -> s == down n (+) 0 (\i -> ws[i] * xs[i, j])) (iota m) weighted) &&
     and (map2 (\j s -> s == down n after (1, 0) (\i -> (1 + xs[i, j] % 5, xs[i, j]))) (iota m) maps)

-- Several levels, what becomes of the sums, and elements that all of them are added to.
entry by_index (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n m value
  let ws = map (value 3) (iota n)
  let along 't (op: t -> t -> t) (ne: t) (f: i64 -> i64 -> t) (j: i64) : t = reduce op ne (map (\i -> f i j) (iota n))
  let weighted = map (along (+) 0 (\i j -> ws[i] * xs[i, j])) (iota m)
  let scaled = map (\j -> 3 + j * along (+) 0 (\i j -> xs[i, j]) j) (iota m)
  let maps = map (along after (1, 0) (\i j -> (1 + xs[i, j] % 5, xs[i, j]))) (iota m)
  let deep = tabulate_2d 3 m (\k -> along (+) 0 (\i j -> (ws[i] + k) * xs[i, j]))
  let added = vjp (\ys -> f64.sum (flatten (map (map2 (\y x -> y * f64.i64 x) ys) xs))) (replicate m 1) 1
  let sum (j: i64) (f: i64 -> i64) : i64 = down n (+) 0 f
  in and (map2 (\j s -> s == sum j (\i -> ws[i] * xs[i, j])) (iota m) weighted) &&
     and (map2 (\j s -> s == 3 + j * sum j (\i -> xs[i, j])) (iota m) scaled) &&
     and (map2 (\j s -> s == down n after (1, 0) (\i -> (1 + xs[i, j] % 5, xs[i, j]))) (iota m) maps) &&
     and (map and (map2 (\k -> map2 (\j s -> s == sum j (\i -> (ws[i] + k) * xs[i, j])) (iota m)) (iota 3) deep)) &&
     and (map2 (\j s -> s == f64.i64 (sum j (\i -> xs[i, j]))) (iota m) added)

-- Matrices that are transposed where they are used, in the rows of another nest: their columns times those of a matrix
-- that all have.
entry in_rows (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n 3 value
  let yss = tabulate_3d 2 n m (\k i j -> value (i + k) j)
  let products = map (\ys -> map (\c -> map (\x -> i64.sum (map2 (*) x c)) (transpose xs)) (transpose ys)) yss
  in and (flatten_3d (tabulate_3d 2 m 3 (\k j l -> products[k, j, l] == down n (+) 0 (\i -> xs[i, l] * yss[k, i, j]))))
