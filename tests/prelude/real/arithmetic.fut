-- Arithmetic operators of a module.
-- ==
-- input { 7.5f32 2.0f32 } output { 9.5f32 5.5f32 15.0f32 3.75f32 1.5f32 56.25f32 }
entry main (x: f32) (y: f32) = (x f32.+ y, x f32.- y, x f32.* y, x f32./ y, x f32.% y, x f32.** y)
