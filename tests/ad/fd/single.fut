-- Single precision: vjp, jvp and differences agree within what single precision allows.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "lib/fd"

def near (a: f32) (b: f64) = close 1e-4 (f64.f32 a) b
def f32_of (f: [3]f32 -> f32) (g: [3]f64 -> f64) : bool =
  let x = [0.7, 1.3, 0.4]
  let x32 = map f32.f64 x
  let want = vjp g x 1
  let got = vjp f x32 1
  let fwd = map (\i -> jvp f x32 (map f32.f64 (unit 3 i))) (iota 3)
  in and (map2 near got want) && and (map2 near fwd want)

entry main =
  [f32_of f32.sum f64.sum,
   f32_of f32.product f64.product,
   f32_of (\x -> f32.sum (map f32.sin x) ** 2) (\x -> f64.sum (map f64.sin x) ** 2),
   f32_of (\x -> loop a = 1 for v in x do a * v + f32.exp v) (\x -> loop a = 1 for v in x do a * v + f64.exp v),
   f32_of (\x -> f32.atan2 x[0] x[1] * f32.hypot x[1] x[2]) (\x -> f64.atan2 x[0] x[1] * f64.hypot x[1] x[2]),
   f32_of (\x -> f32.sum (scan (*) 1 x)) (\x -> f64.sum (scan (*) 1 x)),
   f32_of (\x -> f32.maximum x * x[0]) (\x -> f64.maximum x * x[0]),
   f32_of (\x -> f32.f64 (f64.f32 x[0] * f64.f32 x[1])) (\x -> x[0] * x[1])]
