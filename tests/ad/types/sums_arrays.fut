-- Sum types with arrays, in arrays, in loops, nested.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

type leaf = #num f64 | #pair f64 f64
type tree = #one leaf | #two leaf leaf | #none
def value (l: leaf) = match l case #num a -> a * a case #pair a b -> a * b
def weigh (t: tree) = match t
  case #one l -> value l
  case #two (#num a) (#num b) -> a / (b * b + 1)
  case #two l m -> value l * value m
  case #none -> 0.5
def f [n] (x: [n]f64) =
  let ts : []tree = [#one (#num x[0]), #two (#num x[1]) (#num x[2]), #none, #two (#pair x[0] x[2]) (#num x[1])]
  in map weigh ts
def g [n] (x: [n]f64) =
  let l = loop l : leaf = #num x[0] for v in x do
    match l case #num a -> #pair a v case #pair a b -> #num (a * b + v)
  in value l

entry main =
  [check f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1],
   check_hessian g [0.7, -1.3, 2.1]]
