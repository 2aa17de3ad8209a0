-- Fourth derivatives.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def d (f: f64 -> f64) (x: f64) = jvp f x 1
def r (f: f64 -> f64) (x: f64) = vjp f x 1
def f (x: f64) = f64.exp (2 * x) + x ** 5
def want (x: f64) = 16 * f64.exp (2 * x) + 120 * x

entry main =
  [close 1e-9 (d (d (d (d f))) 0.7) (want 0.7),
   close 1e-9 (r (r (r (r f))) 0.7) (want 0.7),
   close 1e-9 (d (r (d (r f))) 0.7) (want 0.7)]
