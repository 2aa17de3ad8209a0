-- Tuples, nested, empty, and of one array twice.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let (a, (b, c)) = (x, (x, ())) let () = c in map2 (*) a b
def g (p: ((f64, f64), f64)) = let ((a, b), c) = p in ((a * b, c), (b, b * c))
def h [n] (x: [n]f64) = let ((a, b), (c, d)) = g ((x[0], x[1]), x[2]) in [a, b, c, d]
def same [n] (x: [n]f64) = let (a, b) = (\y -> (y, y)) x in a ++ b

entry main =
  [check f [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1],
   check same [0.7, -1.3, 2.1],
   vjp g ((2, 3), 5) ((1, 0), (0, 1)) == ((3, 2 + 5), 3)]
