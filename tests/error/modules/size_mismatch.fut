-- Sizes that must be equal, where the module type does not say so.
-- at 6
-- ==
-- error: Module type specifies.*but module provides

module m : {val f [n] [m] : [n]i32 -> [m]i32 -> i64} = {
  def f [n] (x: [n]i32) (y: [n]i32) = n + length x + length y
}
