-- A loop inside of a map, whose maps are parallel, goes around the nest; a branch likewise.
-- structure soac,flatten,dce: loop.kernel 6, screma 0
-- ==
-- input { 2i64 [[1f32, 2f32], [3f32, 4f32]] } output { [[2f32, 5f32], [4f32, 7f32]] }
-- input { 0i64 [[1f32, 2f32], [3f32, 4f32]] } output { [[1f32, 2f32], [3f32, 4f32]] }
entry main [n][m] (k: i64) (xss: [n][m]f32) : [n][m]f32 =
  #[flattening(only_inner)]
  map (\xs ->
         loop xs for i < k do
           if k > 1
           then map2 (\x j -> f32.i64 i + x + f32.i64 j) xs (iota m)
           else map (* 2) xs)
      xss
