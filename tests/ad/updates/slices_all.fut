-- Slices of every kind, read and written.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) = let a = copy x let a[1:4] = map (* 2) x[0:3] in a
def g [n] (x: [n]f64) = let a = copy x let a[::2] = map f64.sin x[4:1:-1] in a
def h [n] (x: [n]f64) = let a = copy x let a[:2] = x[3:] let a[3:] = copy a[:2] :> [n - 3]f64 in a
def m [n] (x: [n]f64) =
  let a = map (\v -> map (* v) x) x
  let a[1] = x
  let a[:, 2] = map (** 2) x
  let a[0:2, 0] = [x[3], x[4]]
  let a[2, 1:3] = copy a[3, 2:4]
  in flatten a

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.7, -1.3, 2.1, 0.4, -0.6],
   check h [0.7, -1.3, 2.1, 0.4, -0.6],
   check m [0.7, -1.3, 2.1, 0.4, -0.6]]
