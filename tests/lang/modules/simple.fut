-- A module and its names.
module m = {
  def two : i32 = 2
  def add (x: i32) = x + two
  type t = (i32, i32)
  module inner = { def three : i32 = two + 1 }
}
-- ==
-- input { 5 } output { 7 3 }
entry main (x: i32) = (m.add x, (m.inner.three : i32))

-- ==
-- entry: typed
-- input { 5 } output { 5 }
entry typed (x: i32) = let p : m.t = (x, x) in p.0
