-- Constant and identity functions.
-- ==
-- input { 7 true } output { 7 true }
entry main (x: i32) (y: bool) = (const x y, id y)
