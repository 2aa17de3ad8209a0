-- Records in records, as arguments and results of the operators.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

type inner = {a: f64, b: (f64, f64)}
type outer [n] = {xs: [n]f64, i: inner, k: i64}
def f [n] (o: outer [n]) : {s: f64, t: [n]f64} =
  {s = o.i.a * o.i.b.0 + f64.sum o.xs, t = map (* o.i.b.1) o.xs}
def make [n] (x: [n]f64) : outer [n] = {xs = x, i = {a = x[0], b = (x[1], f64.sin x[2])}, k = 3}
def g [n] (x: [n]f64) = let r = f (make x) in r.t ++ [r.s]
def o = make [0.7, -1.3, 2.1]

entry main =
  [check g [0.7, -1.3, 2.1],
   (vjp f o {s = 1, t = [0, 0, 0]}).i.a == o.i.b.0,
   (vjp f o {s = 1, t = [0, 0, 0]}).k == 0,
   (jvp f o (o with i.a = 1 with xs = [0, 0, 0] with i.b = (0, 0))).s == o.i.b.0]
