-- Several refinements, also of submodules and of types with parameters.
module type s = {
  type a
  type b 'x
  module sub : {type t}
  val f : a -> sub.t -> b bool
}
module m : s with a = i32 with b 'x = (x, i32) with sub.t = i64 = {
  type a = i32
  type b 'x = (x, i32)
  module sub = {type t = i64}
  def f (x: a) (y: sub.t) = (x > 0, i32.i64 y)
}
-- ==
-- input { 1 } output { true 3 }
entry main (x: i32) = m.f x 3
