-- An accumulator is not copied.
-- at 7
-- ==
-- error: lifted

def f (d: *[3]i64) =
  intrinsics.scatter_stream d (\acc i -> copy acc) [1i64]
