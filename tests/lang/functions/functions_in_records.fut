-- Functions in tuples and records.
def ops = {add = \x y -> x + y + 0i32, scale = \x -> x * 2i32}
-- ==
-- input { 3 4 } output { 7 6 12 }
entry main (x: i32) (y: i32) =
  let (f, g) = ((+ 1i32), \(z: i32) -> z * 4)
  in (ops.add x y, ops.scale x, g (f 2))
