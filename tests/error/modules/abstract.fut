-- An abstract type is not what it hides.
-- at 7
-- ==
-- error: Expected: i32.*Actual:   m.t

module m : { type t val x : t } = { type t = i32 def x = 1i32 }
def f : i32 = m.x
