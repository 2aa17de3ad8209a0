-- A write consumes the accumulator.
-- at 8
-- ==
-- error: Using variable "acc", but this was consumed

def f (d: *[]i64) =
  intrinsics.scatter_stream d
    (\acc i -> let _ = intrinsics.acc_write acc i 1 in acc)
    [1i64]
