-- Elements exchanged in place.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def reversed [n] (x: [n]f64) =
  loop a = map (** 2) x for i < n / 2 do
    let t = a[i]
    let a[i] = a[n - 1 - i]
    let a[n - 1 - i] = t * x[0]
    in a
def bubble [n] (x: [n]f64) =
  loop a = copy x for i < n do
    loop a for j < n - 1 - i do
      if a[j] <= a[j + 1] then a
      else
        let (p, q) = (a[j], a[j + 1])
        let a[j] = q
        let a[j + 1] = p
        in a

entry main =
  [check reversed [0.7, -1.3, 2.1, 0.4, -0.6],
   check bubble [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (map2 (*) x (bubble x))) [0.7, -1.3, 2.1, 0.4, -0.6]]
