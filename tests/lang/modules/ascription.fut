-- A module seen through a module type.
module type counter = {
  type t
  val zero : t
  val inc : t -> t
  val get : t -> i32
}
module c : counter = {
  type t = {n: i32}
  def zero : t = {n = 0}
  def inc (x: t) : t = {n = x.n + 1}
  def get (x: t) = x.n
  def hidden = 3i32
}
-- ==
-- input { } output { 2 }
entry main = c.get (c.inc (c.inc c.zero))
