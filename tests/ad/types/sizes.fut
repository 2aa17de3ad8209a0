-- Functions whose results have sizes of their own.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let k = n / 2 in map (* 2) (take k x)
def g [n] (x: [n]f64) : [n + n]f64 = x ++ map f64.sin x
def h [n] (x: [n]f64) = flatten (unflatten (x ++ x :> [2 * n]f64)) |> scan (+) 0
def k [n] (x: [n]f64) = f64.sum (indices x |> map (\i -> x[i] * f64.i64 i))

entry main =
  [check (\x -> f x :> [2]f64) [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check_scalar k [0.7, -1.3, 2.1]]
