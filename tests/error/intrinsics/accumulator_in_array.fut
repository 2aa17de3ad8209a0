-- There are no arrays of accumulators.
-- at 8
-- ==
-- error: size-lifted type "intrinsics.acc|lifted

def f (d: *[3]i64) =
  intrinsics.scatter_stream d
    (\acc i -> (map (\j -> intrinsics.acc_write acc j 1) [i])[0])
    [1i64]
