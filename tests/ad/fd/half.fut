-- Half precision, and conversions between widths on the way.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def near (a: f16) (b: f64) = close 4e-3 (f64.f16 a) b
def f16_of (f: [3]f16 -> f16) (g: [3]f64 -> f64) : bool =
  let x = [0.7, 1.3, 0.4]
  let x16 = map f16.f64 x
  let want = vjp g x 1
  let got = vjp f x16 1
  let fwd = map (\i -> jvp f x16 (map f16.f64 (unit 3 i))) (iota 3)
  in and (map2 near got want) && and (map2 near fwd want)

entry main =
  [f16_of f16.sum f64.sum,
   f16_of f16.product f64.product,
   f16_of (\x -> f16.sum (map f16.sin x)) (\x -> f64.sum (map f64.sin x)),
   f16_of (\x -> loop a = 1 for v in x do a * v) (\x -> loop a = 1 for v in x do a * v),
   f16_of (\x -> f16.f32 (f32.f16 x[0] * f32.f16 x[1])) (\x -> x[0] * x[1]),
   f16_of (\x -> f16.maximum x * x[0]) (\x -> f64.maximum x * x[0])]
