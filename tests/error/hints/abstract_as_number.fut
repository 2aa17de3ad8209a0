-- What a module makes, taken for what it is inside of the module.
-- at 8
-- ==
-- error: "m\.t" is abstract: a module type hides what it is; "with t = \.\.\." after the module type tells

module type s = { type t val x : t }
module m : s = { type t = i32 def x = 1i32 }
def f : i32 = m.x
