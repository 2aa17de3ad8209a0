-- What a refinement says is compared with the module.
-- at 7
-- ==
-- error: but module type requires

module type encoding = { type t val num : t -> i64 }
module m : encoding with t = []i32 = { type t = i32 def num (x: t) = i64.i32 x }
