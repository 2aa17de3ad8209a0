-- A branch whose way back gives one adjoint here or there, in a loop that owns both.
-- ==
-- input { [0.5, -1.5, 2.0] [1.0, 2.0, 3.0] }
-- output { [14.0, 4.0, 6.0] }
entry main [n] (x: [n]f64) (g: [n]f64) : [n]f64 =
  vjp (\x ->
         let (a, b) =
           loop (a : [n]f64, b : [n]f64) = (x, map (* 2) x)
           for i < 3i64 do (if i == 1 then b else a, map (+ x[0]) x)
         in map2 (+) a b)
      x g
