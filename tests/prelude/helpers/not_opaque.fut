-- Small helpers.
-- ==
-- input { true 3 } output { false 3 }
entry main (b: bool) (x: i32) = (not b, opaque x)
