-- Two directions of forward mode inside of reverse mode: what they share is differentiated once.
-- structure soac: prim 22
def gradient (f: f64 -> f64 -> f64) (x: f64) (y: f64) : (f64, f64) =
  (jvp (\x -> f x y) x 1, jvp (\y -> f x y) y 1)
entry main (w: f64) (x: f64) (y: f64) : f64 =
  vjp (\w -> let (a, b) = gradient (\x y -> f64.exp (w * (x * x + y * y))) x y in a * b) w 1
