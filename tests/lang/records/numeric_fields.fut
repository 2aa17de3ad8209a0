-- Tuples written as records, and records that are not tuples.
-- ==
-- input { 1 2 } output { 2 1 3 12 5 }
entry main (x: i32) (y: i32) =
  let (b, a) = {1 = x, 0 = y}
  let {0 = c, 1 = d} = (x + y, 12i32)
  let odd = {1 = 2i32, 3 = 3i32}
  in (b, a, c, d, odd.1 + odd.3)
