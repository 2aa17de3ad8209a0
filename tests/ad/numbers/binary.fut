-- Functions of two numbers, by both.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def two (f: f64 -> f64 -> f64) (a: f64) (b: f64) = check (\x -> [f x[0] x[1]]) [a, b] && check_hessian (\x -> f x[0] x[1]) [a, b]

entry main =
  [two (+) 1.3 0.4,
   two (-) 1.3 0.4,
   two (*) 1.3 (-0.4),
   two (/) 1.3 (-0.4),
   two (**) 1.3 (-0.4),
   two f64.atan2 1.3 (-0.4),
   two f64.hypot 1.3 (-0.4),
   two f64.max 1.3 0.4,
   two f64.min 1.3 0.4,
   two f64.copysign 1.3 (-0.4),
   two f64.atan2pi 1.3 0.4]
