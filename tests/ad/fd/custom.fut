-- Custom adjoints, correct ones: reverse mode must agree with forward mode.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

def my_sin = with_vjp f64.sin (\r a -> a * f64.sqrt (1 - r * r))
def my_exp = with_vjp f64.exp (\r a -> r * a)
def my_square = with_vjp_tape (\(x: f64) -> (x, x * x)) (\(x, a) -> 2 * x * a)
def my_dot [n] (xs: [n]f64, ys: [n]f64) : f64 =
  with_vjp_tape (\(xs, ys) -> ((xs, ys), f64.sum (map2 (*) xs ys)))
                (\((xs, ys), a) -> (map (* a) ys, map (* a) xs)) (xs, ys)
def norm [n] (xs: [n]f64) : f64 =
  with_vjp_tape (\v -> let r = f64.sqrt (f64.sum (map (** 2) v)) in ((v, r), r))
                (\((v, r), a) -> map (\x -> a * x / r) v) xs

entry main =
  [check_number my_sin 0.4,
   check_number my_exp 0.4,
   check_number my_square 0.4,
   check (map my_exp) [0.7, -1.3],
   check (\x -> loop y = x for _i < 3 do map my_square (map my_sin y)) [0.2, 0.3],
   check_scalar (\x -> my_dot (x, map my_exp x)) [0.7, -1.3, 2.1],
   check_scalar (\x -> f64.sum (map (\v -> my_dot (x, replicate 3 v) * my_exp v) x)) ([0.7, -1.3, 2.1] :> [3]f64),
   check_scalar norm [0.7, -1.3, 2.1],
   check_hessian (\x -> my_exp x[0] * my_square x[1]) [0.4, 0.6],
   check_hessian norm [0.7, -1.3, 2.1]]
