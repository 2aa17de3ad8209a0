-- An alias of a parameter that is not unique is consumed.
-- at 8
-- ==
-- error: Consuming variable "v", which is not consumable

def f (v: [10]f32) =
  let w = v[2:5]
  in w with [0] = 1
