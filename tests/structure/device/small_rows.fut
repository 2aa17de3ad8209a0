-- A few values that a loop in each row carries: in registers, and stored one by one.
-- structure soac,gpu: loop.kernel 1, loop 2, replicate 0, update 5, scratch 1
-- ==
-- input { 3i64 [2i64, 5i64] } output { [[0i64, 0i64, 0i64, 0i64, 0i64], [7i64, 9i64, 11i64, 13i64, 15i64], [14i64, 16i64, 18i64, 20i64, 22i64]] }
entry main [m] (n: i64) (xs: [m]i64) : [n][5]i64 =
  tabulate n (\i -> loop sums = replicate 5 0 for j < m do
                      map2 (\s c -> s + if i > 0 then xs[j] * i + c else 0) sums (iota 5))
