-- Nor is it made anew for a size that is a constant with a name.
-- at 8
-- ==
-- error: aliased to "zeros", which is not consumable|free variable "zeros"

def k = 3i64
def zeros [n] : [n]f32 = replicate n 0
def f (_: f32) : *[k]f32 = zeros
