-- A map of a map that is summed is one combinator.
-- structure soac: screma 1, screma.reduce 1, screma.map 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { 18i32 }
entry main (xs: []i32) : i32 = reduce (+) 0 (map (+ 2) (map (* 2) xs))
