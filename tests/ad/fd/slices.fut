-- Reading slices with all kinds of strides.
-- ==
-- input { } output { [true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = map2 (*) (sized 3 x[1:4]) (sized 3 x[3:0:-1])
def strides [n] (x: [n]f64) = (x[::2] :> [3]f64) ++ (x[4:0:-2] :> [2]f64) ++ x[::-1]
def two [n] (x: [n]f64) =
  let m = [x, map f64.sin x, map (** 2) x]
  in flatten m[::-1, 1:3] ++ flatten m[1:, ::-1] ++ m[:, 2]
def repeated [n] (x: [n]f64) = f64.sum x[0:3] * f64.sum x[1:4] + x[2]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check strides [0.7, -1.3, 2.1, 0.4, -0.6],
   check two [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar repeated [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian repeated [0.7, -1.3, 2.1, 0.4, -0.6]]
