-- Conventions at the edges of domains.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def d (f: f64 -> f64) (x: f64) = let a = jvp f x 1 let b = vjp f x 1 in if a == b || (f64.isnan a && f64.isnan b) then a else -99
def d2 (f: f64 -> f64 -> f64) (x: f64) (y: f64) = vjp (\(a, b) -> f a b) (x, y) 1

entry main =
  [d f64.abs 0 == 0,
   d f64.sqrt 0 == f64.inf,
   d f64.log 0 == f64.inf,
   d f64.floor 1.5 == 0,
   d f64.ceil 1.5 == 0,
   d f64.round 1.5 == 0,
   d f64.sgn 0 == 0,
   d f64.trunc 1.7 == 1,
   d2 f64.max 1 1 == (1, 0),
   d2 f64.min 1 1 == (1, 0),
   d2 (**) 0 0 == (0, 0),
   d2 (**) 0 1 == (1, 0),
   d2 (**) (-2) 3 == (12, 0),
   d2 (%) 7 3 == (1, -2),
   d (\x -> if x > 0 then x else 2 * x) 0 == 2,
   d (\x -> f64.from_bits (f64.to_bits x)) 3 == 1,
   d (\x -> f64.nextafter x 9) 3 == 1,
   d (\x -> f64.ldexp x 3) 3 == 8]
