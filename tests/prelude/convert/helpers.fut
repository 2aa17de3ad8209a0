-- The short names of some conversions.
-- ==
-- input { 3 } output { 3f32 3f64 }
entry main (x: i32) = (r32 x, r64 x)

-- ==
-- entry: back
-- input { 2.9f32 -2.9f64 } output { 2 -2 }
entry back (x: f32) (y: f64) = (t32 x, t64 y)
