-- What other iterations still read is not overwritten: neighbours, a matrix product, rows that the
-- data choose.
-- structure soac,c: copy 0

-- ==
-- entry: neighbours
-- input { [1i64, 2i64, 4i64, 8i64] 2i64 } output { [10i64, 20i64, 10i64, 20i64] }

-- ==
-- entry: product
-- input { [[1i64, 1i64], [1i64, 0i64]] 4i64 } output { [[8i64, 5i64], [5i64, 3i64]] }

-- ==
-- entry: chosen
-- input { [[1i64, 2i64], [0i64, 5i64]] 2i64 } output { [[2i64, 14i64], [2i64, 14i64]] }
-- input { [[7i64, 2i64], [0i64, 5i64]] 1i64 } error: Index \[7\] out of bounds
entry neighbours [n] (xs: [n]i64) (k: i64) : [n]i64 =
  loop xs for _i < k do tabulate n (\j -> xs[(j + n - 1) % n] + xs[(j + 1) % n])

entry product [n] (a: [n][n]i64) (k: i64) : [n][n]i64 =
  loop b = a for _i < k do map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose a)) b

entry chosen [n][m] (a: [n][m]i64) (k: i64) : [n][m]i64 =
  loop a for _i < k do map (\r -> map2 (+) r a[r[0]]) a
