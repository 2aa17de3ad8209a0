-- The result of a functor hides a size that no array has.
-- at 6
-- ==
-- error: constructive

module f (P: {}) : { type t [n] [m] } = { type t [n] [m] = ([n]i32, [m * 2]i32) }
module m = f {}
entry main (x: i32) = x
