-- Results and arguments that nothing depends on.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let (a, _) = unzip (map (\v -> (v * v, f64.exp v)) x)
  in a
def g [n] (x: [n]f64) = map2 (\v _ -> v * 2) x (map f64.sin x)
def h [n] (x: [n]f64) = map (\_ -> x[1]) x

entry main =
  [check f [0.7, -1.3, 2.1],
   check g [0.7, -1.3, 2.1],
   check h [0.7, -1.3, 2.1]]
