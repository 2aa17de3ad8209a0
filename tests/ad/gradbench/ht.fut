-- Hand tracking: transforms along a tree of bones, updated in place.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def mul (a: [3][3]f64) (b: [3][3]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def rot (t: f64) = [[f64.cos t, -(f64.sin t), 0.5], [f64.sin t, f64.cos t, 0.2], [0, 0, 1]]
def parents = [-1, 0, 1, 0, 3i64]
def pose [n] (theta: [n]f64) =
  let rel = map rot theta
  in loop abs = copy rel for i < n do
    if parents[i] < 0 then abs else abs with [i] = mul abs[parents[i]] rel[i]
def weights = [[0.5, 0.2, 0.1, 0.1, 0.1], [0, 0, 1, 0, 0], [0.2, 0.2, 0.2, 0.2, 0.2f64]]
def vertices [n] (theta: [n]f64) =
  let ts = pose theta
  let at p w = map2 (\t w -> map (\r -> w * f64.sum (map2 (*) r p)) t) ts (w :> [n]f64)
  in map2 (\p w -> reduce (map2 (+)) [0, 0, 0] (at p w)) [[1, 0, 1], [0.5, -0.5, 1], [0, 2, 1]] weights
def f [n] (x: [n]f64) = flatten (vertices x)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map (** 2) (f x))) [0.7, -1.3, 2.1, 0.4, -0.6]]
