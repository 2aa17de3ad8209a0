-- A parameter that is not unique is consumed.
-- at 6
-- ==
-- error: Consuming variable "v", which is not consumable

def f (v: []f32) = v with [0] = 1
