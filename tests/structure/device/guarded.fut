-- A map that only some rows do is done by a thread for each element of each row, once a nest is taken
-- apart.
-- structure soac,flatten,dce: screma 0, loop.kernel 2
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32], [-5i32, 6i32]] }
-- output { [[2i32, 3i32], [0i32, 1i32], [0i32, 0i32]] }
entry main [n][m] (xss: [n][m]i32) : [n][m]i32 =
  #[flattening(only_inner)]
  map (\xs ->
         if xs[0] > 0
         then let y = xs[0] - 1
              in map (\x -> x + 1 - y * y) xs
         else replicate m 0)
      xss
