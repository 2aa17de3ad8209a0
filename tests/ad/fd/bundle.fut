-- Reprojection through a rotation, by records and cross products.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

type v3 = {x: f64, y: f64, z: f64}
def cross (a: v3) (b: v3) : v3 = {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x}
def dot3 (a: v3) (b: v3) = a.x * b.x + a.y * b.y + a.z * b.z
def scale k (a: v3) : v3 = {x = k * a.x, y = k * a.y, z = k * a.z}
def add (a: v3) (b: v3) : v3 = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def rotate3 (r: v3) (p: v3) =
  let t2 = dot3 r r
  in if t2 > 0 then
       let t = f64.sqrt t2
       let w = scale (1 / t) r
       in scale (f64.cos t) p `add` scale (f64.sin t) (cross w p) `add` scale (dot3 w p * (1 - f64.cos t)) w
     else add p (cross r p)
def f [n] (v: [n]f64) =
  let q = rotate3 {x = v[0], y = v[1], z = v[2]} {x = v[3], y = v[4], z = v[5]}
  let (a, b) = (q.x / q.z, q.y / q.z)
  let l = 1 + v[6] * (a * a + b * b)
  in [a * l, b * l]

entry main =
  [check f [0.1, -0.4, 0.3, 0.7, 0.5, 2, 0.1],
   check_hessian (\v -> (f v)[0]) [0.1, -0.4, 0.3, 0.7, 0.5, 2, 0.1]]
