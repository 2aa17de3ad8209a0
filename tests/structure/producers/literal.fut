-- Elements of small arrays are scalars.
-- structure soac: array 0, index 0
-- ==
-- input { 1i32 2i32 } output { 3i32 }
entry main (x: i32) (y: i32) : i32 = let xs = [x, y, x * y] in xs[0] + xs[2]
