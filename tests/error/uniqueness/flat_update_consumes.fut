-- A strided update consumes its destination.
-- at 8
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[]i32) (v: [2][2]i32) =
  let b = intrinsics.flat_update_2d a 0 2 1 v
  in (b, a[0])
