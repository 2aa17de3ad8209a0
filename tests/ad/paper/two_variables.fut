-- A function of two variables, by both modes.
def f (x: f64, y: f64) : f64 = f64.sin x * (x + y) * f64.cos y
-- ==
-- input { 1.0 2.0 } output { -1.0247107745 -2.6456176922 -1.0247107745 -2.6456176922 }
entry main (x: f64) (y: f64) =
  let (gx, gy) = vjp f (x, y) 1
  in (gx, gy, jvp f (x, y) (1, 0), jvp f (x, y) (0, 1))
