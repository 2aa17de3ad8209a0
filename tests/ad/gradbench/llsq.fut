-- Linear least squares, with its gradient by hand.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def t (n: i64) (i: i64) = -1 + 2 * f64.i64 i / f64.i64 (n - 1)
def powers (m: i64) (v: f64) = scan (*) 1 (map (\j -> if j == 0 then 1 else v) (iota m))
def primal [m] (n: i64) (x: [m]f64) =
  0.5 * f64.sum (map (\i -> let v = t n i in (f64.sgn v - f64.sum (map2 (*) x (powers m v))) ** 2) (iota n))
def by_hand [m] (n: i64) (x: [m]f64) =
  let r = map (\i -> let v = t n i in f64.sum (map2 (*) x (powers m v)) - f64.sgn v) (iota n)
  in map (\j -> f64.sum (map (\i -> r[i] * t n i ** f64.i64 j) (iota n))) (iota m)

entry main =
  [check_scalar (primal 9) [0.3, 0.8, 0.1, 0.6],
   and (map2 (close 1e-10) (vjp (primal 17) [0.3, 0.8, 0.1, 0.6] 1) (by_hand 17 [0.3, 0.8, 0.1, 0.6]))]
