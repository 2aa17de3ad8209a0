-- Two ascriptions make two types.
-- at 10
-- ==
-- error: Cannot apply "m1.g" to "m2.x" .invalid type..*Expected: m1.t.*Actual:   m2.t

module b = { type t = i32 def x = 1i32 def g (y: i32) = y }
module type s = { type t val x : t val g : t -> t }
module m1 = b : s
module m2 = b : s
def f = m1.g m2.x
