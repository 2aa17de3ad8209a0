-- Reductions of columns.
-- ==
-- entry: main
-- input { 0i64 5i64 } output { true }
-- input { 1i64 70i64 } output { true }
-- input { 1000i64 33i64 } output { true }
-- input { 777i64 1i64 } output { true }
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
