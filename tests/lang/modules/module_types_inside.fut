-- Module types in modules, and in functors over their parameter.
module type t = {type t val f : t -> i64}
module f (a: t) = {
  module type u = {include t with t = a.t val g : t -> i64}
  module g (u: u) = {def h (x: a.t) = u.f x + u.g x + a.f x}
}
module impl = {type t = i32 def f (x: i32) = i64.i32 x def g = f}
module fi = f impl
module z = fi.g impl
module m : fi.u = impl
-- ==
-- input { 2 } output { 6i64 2i64 }
entry main (x: i32) = (z.h x, m.g x)
