-- The derivative of a sum of squares of sums by what all rows share: for each element of the matrix a sum over all rows
-- of products, of which one factor is stored (where it is not: parts.core).
-- structure soac: withacc 0
-- ==
-- entry: main
-- input { 12i64 2i64 3i64 } output { true }
-- input { 7i64 1i64 2i64 } output { true }
-- input { 0i64 2i64 2i64 } output { true }
-- input { 300i64 40i64 33i64 } output { true }
entry main (n: i64) (k: i64) (m: i64) =
  let xs = tabulate_2d n k (\i j -> f64.i64 ((i * 7 + j * 3) % 5))
  let w = tabulate_2d k m (\i j -> f64.i64 ((i + j) % 3))
  let f w = f64.sum (map (\x -> f64.sum (map (\c -> let s = f64.sum (map2 (*) x c) in s * s) (transpose w))) xs)
  let by_hand = tabulate_2d k m (\i j -> f64.sum (map (\x -> 2 * x[i] * f64.sum (map2 (*) x w[:, j])) xs))
  in and (map2 (\a b -> and (map2 (==) a b)) (vjp f w 1) by_hand)
