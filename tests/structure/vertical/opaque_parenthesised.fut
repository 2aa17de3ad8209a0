-- Nothing is fused across an opaque expression, parenthesised or not; the maps before it are one.
-- structure soac: screma 3, opaque 2
-- ==
-- input { [1i32, 2i32, 3i32] } output { 9i32 12i32 }
entry main (xs: []i32) : (i32, i32) =
  (i32.sum (#[opaque] (map (+ 1) xs)), i32.sum (#[opaque] map (+ 2) xs))
