-- A constant at a size that is a constant is one value.
-- at 7
-- ==
-- error: Consuming variable "zeros", which is not consumable

def zeros [n] : [n]f32 = replicate n 0
def f (x: f32) = (zeros : [3]f32) with [0] = x
