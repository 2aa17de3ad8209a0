-- A column is divided in place: the return sweep reads what is there in the end, not what the division
-- was done to, so that nothing is recorded and no sum is done again.
-- structure soac: loop 2, scratch 0, screma.reduce 2
-- ==
-- input { [[2f64, 1f64], [4f64, 5f64]] } output { [[-1.5f64, 1f64], [1.25f64, 1f64]] }
entry main [n] (a: [n][n]f64) : [n][n]f64 =
  let f a =
    loop m = copy a for k < n do
      m with [k + 1:, k] =
        map (\i -> (m[i, k] - f64.sum (map2 (*) m[i, :k] m[:k, k])) / m[k, k]) (k + 1..<n)
  in vjp (\a -> let m = f a in m[1, 0] * m[1, 1] / 2 + f64.sum m[0]) a 1
