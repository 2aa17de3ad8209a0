-- Truth values and half floats.
-- ==
-- input { true 1.5f16 } output { false 3.0f16 }
entry main (b: bool) (x: f16) = (!b, x + x)
