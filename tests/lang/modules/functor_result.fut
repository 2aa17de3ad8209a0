-- A functor with a result signature.
module type set = { type t val empty : t val add : i32 -> t -> t val size : t -> i32 }
module mk (p: { val step : i32 }) : set = {
  type t = i32
  def empty : t = 0
  def add (_: i32) (s: t) : t = s + p.step
  def size (s: t) : i32 = s
}
module one = mk { def step = 1i32 }
module ten = mk { def step = 10i32 }
-- ==
-- input { 5 } output { 2 10 }
entry main (x: i32) = (one.size (one.add x (one.add x one.empty)), ten.size (ten.add x ten.empty))
