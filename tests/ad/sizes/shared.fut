-- One array under many names: adjoints add up.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let y = x let z = reverse y in map3 (\a b c -> a * b * c) x z (rotate 1 y)
def g [n] (x: [n]f64) = let m = replicate 3 x in flatten (map2 (\r i -> map (* x[i]) r) m (iota 3))
def h [n] (x: [n]f64) = let t = transpose (replicate 2 x) in map (\r -> r[0] * r[1]) t
def k [n] (x: [n]f64) = let (a, b) = (x, x) let c = if a[0] > 0 then a else b in map2 (*) c b

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check k [0.7, -1.3, 2.1]]
