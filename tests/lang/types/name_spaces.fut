-- Types, values, module types, fields and constructors do not clash.
type x = i32
module type x = {val x : x}
module m : x = {def x = 4i32}
def x : x = 3
def f 'n [n] (x: [n]n) : (n, i64) = (x[0], n)
-- ==
-- input { } output { 3 4 1 2i64 7 }
entry main =
  let r : {x: #x x} = {x = #x 7}
  let (a, n) = f [1i32, 2]
  in (x, m.x, a, n, match r.x case #x x -> x)
