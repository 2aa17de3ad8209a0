-- An accumulator is not consumed by a function that captures it.
-- at 8
-- ==
-- error: Consuming variable "acc", which is not consumable

def f (d: *[]i64) =
  intrinsics.scatter_stream d
    (\acc i -> let g j = intrinsics.acc_write acc j 1 in g i)
    [1i64]
