-- Maps over as many rows in both branches of a condition are one nest, with the condition inside.
-- structure soac,flatten,dce: screma 0, loop.kernel 2
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32], [-5i32, 6i32]] }
-- output { [[2i32, 3i32], [0i32, 1i32], [-10i32, 12i32]] }
entry main [n][m] (xss: [n][m]i32) : [n][m]i32 =
  #[flattening(only_inner)]
  map (\xs ->
         if xs[0] > 0
         then let y = xs[0] - 1
              in map (\x -> x + 1 - y * y) xs
         else map (* 2) xs)
      xss
