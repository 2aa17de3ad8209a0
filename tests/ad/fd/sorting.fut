-- A sort is differentiable where no two elements tie.
-- ==
-- input { } output { [true, true, true] }
import "lib/fd"

def bubble [n] (x: [n]f64) =
  loop a = copy x for i < n do
    loop a for j < n - 1 - i do
      if a[j] > a[j + 1]
      then let (u, v) = (a[j], a[j + 1])
           let a[j] = v
           let a[j + 1] = u
           in a
      else a
def median [n] (x: [n]f64) = (bubble x)[n / 2] ** 2

entry main =
  [check bubble [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar median [0.7, -1.3, 2.1, 0.4, -0.6],
   check_scalar (\x -> f64.sum (map2 (\i v -> f64.i64 i * v * v) (indices x) (bubble x))) [0.7, -1.3, 2.1, 0.4, -0.6]]
