-- Products with few results and long sums: in parts.  The file of tuning parameters lets such small ones have a thread for
-- each result.
-- ==
-- entry: product
-- input { 40i64 1024i64 50i64 } output { 0i64 }
-- input { 70i64 514i64 33i64 } output { 0i64 }
-- input { 300i64 514i64 257i64 } output { 0i64 }
-- input { 300i64 1021i64 257i64 } output { 0i64 }
-- input { 260i64 1024i64 256i64 } output { 0i64 }
entry product (n: i64) (m: i64) (p: i64) : i64 =
  let a = opaque (tabulate_2d n m (\i k -> f32.i64 ((i * 7 + k * 3) % 5 - 2)))
  let b = opaque (tabulate_2d m p (\k j -> f32.i64 ((k * 2 + j * 11) % 7 - 3)))
  let c = opaque (tabulate_2d n p (\i j -> f32.i64 (i - j)))
  let ab = map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a
  let sum = opaque (map2 (map2 (+)) ab c)
  let wrong i j =
    let s = loop s = 0 for k < m do s + ((i * 7 + k * 3) % 5 - 2) * ((k * 2 + j * 11) % 7 - 3)
    in i64.bool (sum[i, j] != f32.i64 (s + i - j))
  in i64.sum (tabulate 200 (\t -> wrong ((t * 131) % n) ((t * 77) % p)))
