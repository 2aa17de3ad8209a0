-- The body consumes something from outside of the loop.
-- at 8
-- ==
-- error: Consuming variable "z", which is not consumable

def f (x: *[]i32) (z: *[]i32) =
  loop a = x for _i < 3i32 do
    let y = z with [0] = 1
    in map (+ y[0]) a
