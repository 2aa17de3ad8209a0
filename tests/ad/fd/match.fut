-- Matches on numbers, tuples, booleans and nested constructors.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

def f [n] (x: [n]f64) =
  map2 (\i v -> match (i % 3, v > 0)
               case (0, true) -> f64.log v
               case (0, false) -> v * v
               case (1, _) -> let w = x[0] * v in w ** 3
               case _ -> f64.sin v) (iota n) x
def nested (t: #leaf f64 | #node (#l f64 | #r f64 f64)) =
  match t
  case #leaf v -> v * 2
  case #node (#l v) -> v ** 2
  case #node (#r a b) -> a * b
def g [n] (x: [n]f64) =
  [nested (#leaf x[0]), nested (#node (#l x[1])), nested (#node (#r x[0] x[1]))]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check g [0.3, 0.7]]
