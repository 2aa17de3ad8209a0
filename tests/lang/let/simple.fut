-- Local bindings, with and without in.
-- ==
-- input { 3 } output { 16 }
entry main (x: i32) =
  let y = x + 1
  let z = y * y
  in z
