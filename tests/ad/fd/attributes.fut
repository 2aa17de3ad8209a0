-- Attributes that guide reverse mode do not change derivatives.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def strip [n] (x: [n]f64) = #[stripmine(2)] loop y = x for i < 17i64 do map (\v -> f64.sin (v * 1.1 + f64.i64 (i %% 3))) y
def bound [n] (x: [n]f64) = #[bound(40)] loop v = map (* 10) x while f64.sum (map f64.abs v) > 1 do map (* 0.6) v
def dep [n] (x: [n]f64) = loop (#[true_dep] a) = copy x for i in 1..<n do a with [i] = a[i] * a[i - 1]
def unr [n] (x: [n]f64) = #[unroll] loop y = x[0] for i < 3 do y * x[1] + f64.i64 i
def seq [n] (x: [n]f64) = #[sequential] map (\v -> #[noinline] #[opaque] (v * v)) x

entry main =
  [check strip [0.7, -1.3],
   check bound [0.7, -1.3],
   check dep [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar unr [0.7, -1.3],
   check seq [0.7, -1.3, 2.1, 0.4, -0.6]]
