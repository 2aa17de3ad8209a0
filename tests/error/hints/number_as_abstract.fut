-- A number for a value of an abstract type.
-- at 8
-- ==
-- error: "m\.t" is abstract: no number has that type

module type s = { type t val f : t -> i32 }
module m : s = { type t = i32 def f (x: t) = x }
def f = m.f 3
