-- What an iteration needs is allocated before the loop.
-- structure soac,c: alloc 2
-- ==
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [40.171073846375336f64, 2193.266316856917f64] }
entry main [n][m] (a: [n][m]f64) : [n]f64 =
  map (\r -> let e = map f64.exp r in f64.sum (tabulate m (\i -> e[i] * e[m - 1 - i]))) a
