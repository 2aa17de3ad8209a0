-- The values of a polynomial at many places.
entry main [n][k] (coefficients: [k]f32) (xs: [n]f32) : [n]f32 =
  map (\x -> foldl (\s c -> s * x + c) 0 coefficients) xs
