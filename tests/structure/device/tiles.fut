-- Sixteen products at a time, of four elements of each matrix; as many rows and columns as there are.
-- structure soac,gpu: loop.kernel 9, index 17
-- ==
-- input { 9i64 7i64 5i64 } output { true }
-- input { 1i64 7i64 11i64 } output { true }
-- input { 0i64 3i64 4i64 } output { true }
entry main (n: i64) (m: i64) (p: i64) : bool =
  let a = tabulate_2d n m (\i j -> i * 10 + j)
  let b = tabulate_2d m p (\i j -> i - 3 * j)
  let c = map (\row -> map (\col -> i64.sum (map2 (*) row col)) (transpose b)) a
  let d = #[sequential] map (\i -> #[sequential] map (\j -> loop s = 0 for k < m do s + a[i, k] * b[k, j]) (iota p)) (iota n)
  in and (map2 (\x y -> and (map2 (==) x y)) c d)
