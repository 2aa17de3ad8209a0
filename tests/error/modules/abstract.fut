-- An abstract type is not what it hides.
-- at 7
-- ==
-- error: Cannot|expected type

module m : { type t val x : t } = { type t = i32 def x = 1i32 }
def f : i32 = m.x
