-- Bundle adjustment: projections, distortion, both branches of the rotation.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def dot3 (a: [3]f64) (b: [3]f64) = f64.sum (map2 (*) a b)
def cross (a: [3]f64) (b: [3]f64) = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def rodrigues (r: [3]f64) (x: [3]f64) =
  let s = dot3 r r
  in if s != 0 then
    let th = f64.sqrt s
    let (c, i) = (f64.cos th, 1 / th)
    let w = map (* i) r
    let k = dot3 w x * (1 - c)
    in map3 (\x y w -> x * c + y * f64.sin th + w * k) x (cross w x) w
  else map2 (+) x (cross r x)
def project (cam: [11]f64) (x: [3]f64) =
  let y = rodrigues (cam[0:3] :> [3]f64) (map2 (-) x (cam[3:6] :> [3]f64))
  let p = [y[0] / y[2], y[1] / y[2]]
  let r = p[0] ** 2 + p[1] ** 2
  let d = 1 + cam[9] * r + cam[10] * r * r
  in map2 (\p c -> p * d * cam[6] + c) p (cam[7:9] :> [2]f64)
def f (v: [15]f64) = map (* v[14]) (project (v[0:11] :> [11]f64) (v[11:14] :> [3]f64)) ++ [1 - v[14] ** 2]
def x = [0.3, -0.2, 0.5, 0.1, 0.2, -4, 1.2, 0.1, -0.3, 0.05, 0.01, 0.7, -0.4, 0.9, 0.8]

entry main =
  [check f x,
   check f ([0.1, 0.2, -0.1] ++ x[3:] :> [15]f64),
   check (\y -> f ([0, 0, 0] ++ y :> [15]f64)) x[3:]]
