-- Minimum, maximum, sum and product together.
-- structure soac: screma 1
-- structure soac,c: loop 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { 1i32 3i32 6i32 6i32 }
entry main (xs: []i32) : (i32, i32, i32, i32) =
  (i32.minimum xs, i32.maximum xs, i32.sum xs, i32.product xs)
