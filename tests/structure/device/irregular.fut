-- Rows of their own lengths: a block of threads for each, whose reductions are shared out; or, with very
-- many rows, a thread.
-- structure soac,flatten,dce: loop.blocks 1, loop.threads 2, loop.kernel 1
-- ==
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] [0i64, 0i64, 3i64, 5i64] [2i64, 10i64] }
-- output { [0i64, 42i64, 0i64] [0i64, 12i64, 18i64] }
-- input { [1i64] empty([0]i64) empty([0]i64) } error: invalid
entry main [n][m][k] (xs: [n]i64) (starts: [m]i64) (fs: [k]i64) =
  let row i = xs[starts[i]:starts[i + 1]]
  let sums = tabulate (m - 1) (\i -> let least = i64.minimum (map (\f -> i64.sum (map (* f) (row i))) fs)
                                    in if least < 15 then i64.sum (map (\x -> x * x * 3) (row i)) else 0)
  in (sums, tabulate (m - 1) (\i -> i64.minimum (map (\f -> i64.sum (map (* f) (row i))) fs)))
