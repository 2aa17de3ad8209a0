-- Local declarations and types.
module m = {
  local type t = i32
  local def helper (x: t) : t = x * 2
  def f (x: i32) : i32 = helper x
}
-- ==
-- input { 4 } output { 8 }
entry main (x: i32) = m.f x
