-- Something kept for the way back.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f = with_vjp_tape (\(x: f64) -> let e = f64.exp x in ((e, x), e * x)) (\((e, x), a) -> a * e * (1 + x))
def norm [n] : [n]f64 -> f64 =
  with_vjp_tape (\(x: [n]f64) -> let s = f64.sqrt (f64.sum (map (** 2) x)) in ((s, x), s)) (\((s, x), a) -> map (\v -> a * v / s) x)

entry main =
  [check_number f 0.7,
   check_scalar norm [0.7, -1.3, 2.1],
   check (\x -> map (\k -> norm (map (* k) x)) x) [0.7, 1.3, 1.1],
   check_hessian norm [0.7, 1.3, 1.1]]
