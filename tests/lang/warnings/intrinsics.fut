-- Intrinsics used directly.
-- ==
-- input { 1 } output { 2 }
-- warning: Using intrinsic functions directly
entry main (x: i32) = intrinsics.add x x
