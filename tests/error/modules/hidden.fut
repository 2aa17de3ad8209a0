-- A name that the ascription hides.
-- at 7
-- ==
-- error: Unknown name "m.y"

module m : { val x : i32 } = { def x = 1i32 def y = 2i32 }
def f = m.y
