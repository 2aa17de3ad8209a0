-- Skinning by a chain of transformations built with a scan of matrices.
-- ==
-- input { } output { [true] }
import "lib/fd"

def mul (a: [3][3]f64) (b: [3][3]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def rot t : [3][3]f64 = [[f64.cos t, -f64.sin t, 1], [f64.sin t, f64.cos t, 0], [0, 0, 1]]
def eye : [3][3]f64 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
def f [n] (x: [n]f64) =
  let ms = scan mul eye (map rot x)
  in flatten (map (\m -> [m[0, 2], m[1, 2]]) ms)

entry main =
  [check f [0.1, -0.4, 0.3, 0.7]]
