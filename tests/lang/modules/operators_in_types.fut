-- Operators as components.
module type arith = {type t val + : t -> t -> t val (*) : t -> t -> t val i32 : i32 -> t}
module poly (a: arith) = {def f (x: a.t) = a.(x * x + i32 1)}
module p = poly f64
module q = poly {
  type t = i32
  def (+) (x: i32) (y: i32) = i32.max x y
  def x * y = x i32.+ y
  def i32 (x: i32) = x
}
-- ==
-- input { 3 } output { 10.0 6 }
entry main (x: i32) = (p.f (f64.i32 x), q.f x)
