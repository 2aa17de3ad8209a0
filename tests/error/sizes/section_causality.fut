-- The type of a section has the size of its operand, which must be there before.
-- ==
-- error: Causality
entry main (xs: []f32) (m: [][]f32) =
  map f32.sum (map (map (* 2) (filter (> 0.5) xs) ++) m)
