-- Fields may begin with an underscore where they are made, read and updated; names that do may be
-- bound anywhere.
-- ==
-- input { 3 } output { 3 5 1 }
entry main (x: i32) =
  let r = {_a = x, b = true}
  let s = r with _a = 5
  let (_unused, y) = (2i32, 1i32)
  in (r._a, s._a, y)
