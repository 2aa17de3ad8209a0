-- A functor with two parameters.
module pair (a: { type t val x : t }) (b: { type t val y : t }) = {
  type t = (a.t, b.t)
  def both : t = (a.x, b.y)
}
module p = pair { type t = i32 def x = 1i32 } { type t = bool def y = true }
-- ==
-- input { } output { 1 true }
entry main : (i32, bool) = p.both
