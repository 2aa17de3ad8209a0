-- Values of sum types on the way, in arrays and loops.
-- ==
-- input { } output { [true, true, true, true] }
import "lib/fd"

type shape = #circle f64 | #rect f64 f64 | #poly [3]f64
def area (s: shape) = match s
  case #circle r -> f64.pi * r * r
  case #rect a b -> a * b
  case #poly v -> f64.product v
def f [n] (x: [n]f64) =
  let shapes : []shape = [#circle x[0], #rect x[1] x[2], #poly [x[0], x[1], x[2]]]
  in map area shapes
def walk [n] (x: [n]f64) =
  let s = loop s : shape = #circle x[0] for i < 4 do
    match s
    case #circle r -> #rect r (x[1] + f64.i64 i)
    case #rect a b -> #poly [a, b, x[2]]
    case #poly v -> #circle (f64.sum (map f64.sin v))
  in area s
def option (x: f64) : #some f64 | #none = if x > 0 then #some (f64.log x) else #none
def maybe [n] (x: [n]f64) = map (\v -> match option v case #some y -> y * v case #none -> v ** 2) x

entry main =
  [check f [0.7, 1.3, 1.1],
   check_scalar walk [0.7, 1.3, 1.1],
   check maybe [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian walk [0.7, 1.3, 1.1]]
