-- Single precision: values and derivatives are rounded to it.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f (x: [3]f32) = f32.sum (map2 (*) x (map f32.sin x))
def x : [3]f32 = [0.5, 1.5, -2]
def near (a: f32) (b: f32) = f32.abs (a - b) <= 1e-6 * (1 + f32.abs b)
def g (v: f32) = f32.f64 (f64.sin (f64.f32 v))

entry main =
  [and (map2 near (vjp f x 1) (map (\v -> f32.sin v + v * f32.cos v) x)),
   near (jvp f x [1, 0, 0]) (f32.sin 0.5 + 0.5 * f32.cos 0.5),
   near (vjp g 0.5 1) (f32.cos 0.5),
   near (jvp (\v -> vjp g v 1) 0.5 1) (-(f32.sin 0.5))]
