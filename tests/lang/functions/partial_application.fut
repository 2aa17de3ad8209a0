-- Partial application of any function.
def three (x: i32) (y: i32) (z: i32) = x + 10 * y + 100 * z
-- ==
-- input { 1 2 3 } output { 321 321 }
entry main (x: i32) (y: i32) (z: i32) =
  let f = three x
  let g = f y
  in (g z, (three x y) z)
