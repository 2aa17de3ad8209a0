-- A scan over the same rows as what another scatters, the destination among it.
-- ==
-- entry: destination
-- input { 5i64 } output { [7i64, 7i64, 7i64, 7i64, 12i64] [0i64, 5i64, 10i64, 15i64, 20i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) }

-- ==
-- entry: reduced
-- input { 5i64 } output { 30i64 [0i64, 5i64, 10i64, 15i64, 20i64] }

entry destination (n: i64) : ([n]i64, [n]i64) =
  let a = map (* 3) (iota n)
  let b = scatter a (map (\i -> i - 1) (iota n)) (replicate n 7)
  in (b, scan i64.max i64.lowest (map (* n) (iota n)))

entry reduced (n: i64) : (i64, [n]i64) =
  let a = map (* 3) (iota n)
  let c = scan i64.max i64.lowest (map (* n) (iota n))
  in (i64.sum (map2 (\i x -> x + i * 0 + a[n - 1 - i] * 0) (iota n) a), c)
