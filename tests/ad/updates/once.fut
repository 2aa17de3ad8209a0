-- Updates outside of loops: what is overwritten loses its influence.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let a = copy x in a with [1] = x[0] * x[2]
def g [n] (x: [n]f64) =
  let a = map (** 2) x
  let a[0] = a[1] * a[2]
  let a[1] = a[0] + x[0]
  let a[0] = 3
  in a
def same [n] (x: [n]f64) = let a = copy x let a[1] = a[1] in a
def constant [n] (x: [n]f64) = let a = replicate n 1f64 let a[2] = x[0] in a

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check same [0.7, -1.3, 2.1],
   check constant [0.7, -1.3, 2.1]]
