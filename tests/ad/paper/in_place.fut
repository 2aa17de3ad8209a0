-- A loop with in-place updates.
def f [n] (xs: [n]f64) : f64 =
  let ys = loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i + 1]
  in ys[n - 1]
-- ==
-- input { [1.0, 2.0, 3.0, 4.0] } output { [24.0, 12.0, 8.0, 6.0] }
entry main [n] (xs: [n]f64) = vjp f xs 1
