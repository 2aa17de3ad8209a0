-- Second derivatives by parts of records.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

type p = {a: f64, b: [2]f64}
def f (q: p) = f64.sin (q.a * q.b[0]) + q.a ** 2 * q.b[1] ** 3
def along (a: f64) (b: f64) (c: f64) : p = {a, b = [b, c]}
def at () : p = {a = 0.7, b = [1.3, -0.4]}
def hv (d: p) = jvp (\q -> vjp f q 1) (at ()) d
def vh (d: p) = vjp (\q -> vjp f q 1) (at ()) d
def same (x: p) (y: p) = close 1e-10 x.a y.a && close 1e-10 x.b[0] y.b[0] && close 1e-10 x.b[1] y.b[1]

entry main =
  [same (hv (along 1 0 0)) (vh (along 1 0 0)),
   close 1e-10 (hv (along 1 0 0)).b[1] (hv (along 0 0 1)).a,
   close 1e-10 (hv (along 0 0 1)).b[1] (0.49 * 6 * -0.4)]
