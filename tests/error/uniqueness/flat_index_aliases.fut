-- A strided view may share memory with its array.
-- at 9
-- ==
-- error: Using variable "a", but this was consumed

def f (a: *[]i32) =
  let b = intrinsics.flat_index_2d a 0 2 1 2 1
  let a[0] = 1
  in (a, b)
