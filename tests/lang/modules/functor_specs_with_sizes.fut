-- Functors in module types, over sizes of the module.
module type s = {
  val n : i64
  module h : (q: {}) -> {val xs : [n]i32}
  val ys : [n]i32
}
module f (m: s) = {module k = m.h {} def zs = map2 (+) k.xs m.ys}
module impl = {
  def n = 3i64
  module h (q: {}) = {def xs = replicate n 1i32}
  def ys = replicate n 2i32
}
module a = f impl
module sealed : s = impl
module o = sealed.h {}
-- ==
-- input { } output { [3, 3, 3] [3, 3, 3] }
entry main = (a.zs, map2 (+) o.xs sealed.ys)
