-- A module that is not a functor is applied.
-- at 8
-- ==
-- error: Cannot apply non-parametric module

module m = { def x = 1i32 }
module n = { def y = 1i32 }
module k = m n
