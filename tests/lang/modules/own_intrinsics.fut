-- A module of that name of the program's own is one like any other; the built-in one is there until
-- then, in expressions.
-- ==
-- input { 7 2 } output { 9 14 5 3 }

def before (x: i32) (y: i32) = x intrinsics.+ y

module intrinsics = {
  def (+) (x: i32) (y: i32) = x * y
  def minus (x: i32) (y: i32) = x - y
  module deeper = {def half (x: i32) = x / 2}
}

module again = intrinsics
open intrinsics.deeper

entry main (x: i32) (y: i32) =
  (before x y, x again.+ y, intrinsics.minus x y, half x)
