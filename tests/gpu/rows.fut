-- Sums of many rows that a product has written: in two steps where they have a multiple of eight elements.
-- ==
-- entry: main
-- input { 260i64 256i64 32i64 } output { true }
-- input { 260i64 256i64 40i64 } output { true }
-- input { 260i64 256i64 8i64 } output { true }
-- input { 260i64 256i64 35i64 } output { true }
-- input { 3i64 2i64 40i64 } output { true }
-- input { 0i64 5i64 8i64 } output { true }
def value (s: i64) (i: i64) (j: i64) : i64 = (i * 7919 + j * 13 + s) % 11 - 5

entry main (n: i64) (k: i64) (d: i64) : bool =
  let xs = tabulate_2d n d (value 1)
  let qs = tabulate_3d k d d (\s i j -> value s i j)
  let squares = map (\x -> map (\q -> i64.sum (map (\r -> let s = i64.sum (map2 (*) r x) in s * s) q)) qs) xs
  let one i j = loop a = 0 for r < d do
                  let s = loop b = 0 for c < d do b + qs[j, r, c] * xs[i, c]
                  in a + s * s
  in and (map (\i -> let (i, j) = (i * 37 % i64.max n 1, i * 11 % k) in squares[i, j] == one i j) (iota (i64.min n 50)))
