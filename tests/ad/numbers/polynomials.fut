-- Horner, Chebyshev and continued fractions.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def horner (x: f64) = loop s = 0 for c in [1, -2, 0.5, 3f64] do s * x + c
def chebyshev (x: f64) = (loop (a, b) = (1, x) for _i < 6i32 do (b, 2 * x * b - a)).1
def fraction (x: f64) = loop s = 1 for i < 8i32 do 1 + x / (f64.i32 i + 1 + s)

entry main =
  [check_number horner 0.7,
   check_number chebyshev 0.7,
   close 1e-9 (jvp chebyshev (f64.cos 0.3) 1) (7 * f64.sin 2.1 / f64.sin 0.3),
   check_number fraction 0.7]
