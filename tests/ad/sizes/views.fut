-- Views of views: slices, transposes, reshapes composed.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let m = unflatten (x ++ map f64.sin x ++ x ++ reverse x :> [4 * n]f64)
  let v = (transpose m[1:3])[::-1]
  in flatten (map (\r -> map (* r[0]) r) v) ++ m[3, 1:]
def g [n] (x: [n]f64) = flatten_3d (unflatten_3d (flatten (replicate 4 x) :> [2 * 2 * n]f64)) |> map2 (*) (flatten (replicate 4 (reverse x)) :> [2 * 2 * n]f64)

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1]]
