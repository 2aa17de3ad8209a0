-- A fully lifted type hides functions.
module type fn = {type^ t val make : i32 -> t val ap : t -> i32 -> i32}
module fn : fn = {
  type^ t = i32 -> i32
  def make (n: i32) = \x -> x + n
  def ap (f: t) x = f x
}
module use (d: fn) = {def two (n: i32) = (d.make n, d.make (n + 1))}
module u = use fn
-- ==
-- input { 2 } output { 12 }
entry main (n: i32) = let (a, b) = u.two n in fn.ap a (fn.ap b 7)
