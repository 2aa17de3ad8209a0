-- Records and tuples as inputs and outputs.
-- ==
-- input { } output { [true, true, true] }
import "lib/fd"

type p = {a: f64, b: (f64, [2]f64)}
def f (x: p) = {u = x.a * x.b.0, v = map (* x.a) x.b.1, w = (x with a = x.b.1[0]).a}
def packed [n] (x: [n]f64) =
  let r = f {a = x[0], b = (x[1], [x[2], x[3]])}
  in [r.u, r.v[0], r.v[1], r.w]
def direct [n] (x: [n]f64) =
  let at = {a = x[0], b = (x[1], [x[2], x[3]])}
  let g = vjp f at {u = 1, v = [2, 3], w = 4}
  let want = vjp packed x [1, 2, 3, 4]
  in and (map2 (close 1e-12) [g.a, g.b.0, g.b.1[0], g.b.1[1]] (want :> [4]f64))
def forwards [n] (x: [n]f64) =
  let at = {a = x[0], b = (x[1], [x[2], x[3]])}
  let t = jvp f at {a = 1, b = (2, [3, 4])}
  in and (map2 (close 1e-12) [t.u, t.v[0], t.v[1], t.w] (jvp packed x ([1, 2, 3, 4] :> [n]f64)))

entry main =
  [check packed [0.3, 0.7, -1, 2],
   direct [0.3, 0.7, -1, 2],
   forwards [0.3, 0.7, -1, 2]]
