-- A refinement of a type that is not there.
-- at 7
-- ==
-- error: Unknown type "c" in module type

module type s = {type a type b}
module m : (s with c = i32) = {type a = i32 type b = bool}
