-- The destination is consumed.
-- at 7
-- ==
-- error: Using variable "d", but this was consumed

def f (d: *[3]i64) =
  (intrinsics.scatter_stream d (\acc _ -> acc) [1i64], d)
