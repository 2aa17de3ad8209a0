-- Integers that a float cannot hold are rounded to the nearest one.
-- ==
-- input { 16777217i64 } output { true }
entry main (x: i64) = f32.i64 x == 16777216
