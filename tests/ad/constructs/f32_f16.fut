-- Other float types.
-- ==
-- input { 3f32 2f16 } output { 6f32 4f16 }
entry main (x: f32) (y: f16) = (vjp (\a -> a * a) x 1, jvp (\a -> a * a) y 1)
