-- Scans with sums, products, extrema, and general operators.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

def affine (a1, b1) (a2, b2) : (f64, f64) = (a1 * a2, b1 * a2 + b2)
def line [n] (x: [n]f64) =
  let (a, b) = unzip (scan affine (1, 0) (map (\v -> (v, f64.sin v)) x))
  in map2 (*) a b
def vectors [n] (x: [n]f64) =
  flatten (scan (map2 (+)) [0, 0] (map (\v -> [v, v * v]) x))
def mats [n] (x: [n]f64) =
  let mul (a, b, c, d) (e, f, g, h) : (f64, f64, f64, f64) =
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let ms = scan mul (1, 0, 0, 1) (map (\v -> (v, 1, f64.cos v, v * v)) x)
  in map (\(a, b, c, d) -> a * d - b * c + a) ms

entry main =
  [check (scan (+) 0) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (scan (*) 1) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (scan (*) 1) [0.7, 0, 2.1, 0, 3],
   check (scan f64.max (-f64.inf)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (scan f64.min f64.inf) [0.7, -1.3, 2.1, 0.4, -0.6],
   check line [0.7, -1.3, 2.1, 0.4, -0.6],
   check vectors [0.7, -1.3, 2.1, 0.4, -0.6],
   check mats [0.7, -1.3, 2.1, 0.4, -0.6],
   check (exscan (+) 0) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (exscan (*) 2) [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (scan (*) 1 x)) [0.7, -1.3, 2.1]]
