-- Functors inside applied functors.
module f (a: {val x : i32}) (b: {val y : i32}) (c: {val z : i32}) = {
  def s = a.x + b.y * c.z
  module m (d: {val w : i32}) = {def t = s + d.w}
}
module g = f {def x = 1i32}
module h = g {def y = 2i32}
module i = h {def z = 3i32}
module j = i.m {def w = 1i32}
-- ==
-- input { } output { 8 }
entry main = j.t
