-- Records and projections.
-- ==
-- input { 1 2 } output { 1 2 3 }
entry main (a: i32) (b: i32) =
  let r = {x = a, y = {z = b, w = (a + b, true)}}
  in (r.x, r.y.z, r.y.w.0)
