-- Filters of records, with several arrays behind them.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (a, b) = unzip (filter (\(v, _) -> v > 0) (zip x (map f64.sin (reverse x))))
  in f64.sum (map2 (*) a b) + f64.product a
def g [n] (x: [n]f64) =
  let rs = filter (\r -> r.k % 2 == 0) (map2 (\k v -> {k, v, w = [v, v * v]}) (iota n) x)
  in f64.sum (map (\r -> r.v * f64.sum r.w) rs)

entry main =
  [check_scalar f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar g [0.7, -1.3, 2.1, 0.4, -0.6]]
