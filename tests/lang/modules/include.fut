-- Including one module type in another.
module type a = { type t val x : t }
module type b = { include a val y : t }
module m : (b with t = i32) = { type t = i32 def x = 1i32 def y = 2i32 }
-- ==
-- input { } output { 3 }
entry main = m.x + m.y
