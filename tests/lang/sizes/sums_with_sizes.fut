-- Sum types with size parameters.
type t [n] = #full ([n]i64) | #empty
def make (n: i64) : t [n] = if n > 2 then #full (iota n) else #empty
def default [n] (x: t [n]) (y: [n]i64) : [n]i64 = match x case #full xs -> xs case #empty -> y
-- ==
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 1i64 } output { [7i64] }
entry main (n: i64) = default (make n) (replicate n 7)
