-- jmp and mjp, over numbers, arrays and records, also nested and unrolled.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = [f64.product x, f64.sum (map f64.sin x)]
def jac [n] (x: [n]f64) = flatten (mjp f x [[1, 0], [0, 1]])
def jac' [n] (x: [n]f64) = flatten (transpose (jmp f x (map (unit n) (iota n))))
def unrolled [n] (x: [n]f64) = flatten (#[unroll] mjp f x [[1, 0], [0, 1]])
def recs [n] (x: [n]f64) =
  let g (p: {a: f64, b: f64}) = {u = p.a * p.b, v = f64.sin p.a}
  let (y, t) = jmp2 g {a = x[0], b = x[1]} [{a = 1, b = 0}, {a = 0, b = 1}, {a = 2, b = 3}]
  let (z, c) = mjp2 g {a = x[0], b = x[1]} [{u = 1, v = 0}, {u = 0, v = 1}, {u = 2, v = 3}]
  in [y.u, z.v] ++ map (.u) t ++ map (.v) t ++ map (.a) c ++ map (.b) c
def numbers [n] (x: [n]f64) = jmp (\v -> v ** 3) x[0] [1, 2] ++ mjp (\v -> v ** 3) x[0] [1, 2, 3]
def none [n] (x: [n]f64) = flatten (mjp f x []) ++ [x[0]]

entry main =
  [check jac [0.7, -1.3, 2.1],
   check jac' [0.7, -1.3, 2.1],
   check unrolled [0.7, -1.3, 2.1],
   check recs [0.7, -1.3],
   check numbers [0.7],
   check none [0.7, 1.5]]
