-- A refinement has as many parameters as the type, of the same kinds, lifted at least as far.
-- at 10 11 12 13 14
-- ==
-- error: Cannot refine a type having

module type plain = { type t }
module type sized = { type t [n] }
module type param = { type t 'a }
module type lifted = { type^ t '^a }
module type a = plain with t 'a = a
module type b = sized with t = i32
module type c = sized with t 'a = a
module type d = param with t [n] = [n]i32
module type e = lifted with t 'a = (a, a)
