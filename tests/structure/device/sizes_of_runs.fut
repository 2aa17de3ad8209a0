-- An array that grows in a while loop which is differentiated: what writes a log needs a size that comes
-- of one statement with an array, whose type mentions it.
-- structure soac,gpu: loop 4, loop.kernel 2
-- ==
-- input { [0.5f64, 2f64] } output { [9.0f64, 3.0f64] }
entry main [n] (x: [n]f64) : [n]f64 =
  vjp (\x -> (loop (a, s) = ([x[0]], x[1]) while length a < 2 * n && s < 1e6 do
                let v = last a * s
                in (a ++ [v, v * a[0]], s + v)).1)
      x 1
