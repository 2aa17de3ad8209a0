-- Softmax attention over two small sequences.
-- ==
-- input { } output { [true] }
import "lib/fd"

def softmax [n] (xs: [n]f64) =
  let m = f64.maximum xs
  let es = map (\x -> f64.exp (x - m)) xs
  in map (/ f64.sum es) es
def mm [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def f [n] (x: [n]f64) =
  let part i : [2][3]f64 = unflatten (x[i * 6:i * 6 + 6] :> [2 * 3]f64)
  let (q, k, v) = (part 0, part 1, part 2)
  in flatten (mm (map softmax (mm q (transpose k))) v)

entry main =
  [check f (map (\i -> f64.sin (3 * f64.i64 i)) (iota 18))]
