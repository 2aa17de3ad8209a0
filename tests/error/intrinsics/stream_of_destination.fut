-- The elements may not come from it.
-- at 7
-- ==
-- error: is consumed, but another argument

def f (d: *[3]i64) =
  intrinsics.scatter_stream d (\acc _ -> acc) d
