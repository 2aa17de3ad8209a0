-- Sums over images, rows and columns are one sum: in parts, and of the parts.
-- structure soac,flatten,dce: loop.blocks 2, loop.threads 2, loop.kernel 0, screma 0

entry main [n][h][w] (xsss: [n][h][w]f32) : f32 =
  f32.sum (map (\xss -> f32.sum (map (\xs -> f32.sum (map (\x -> x * x) xs)) xss)) xsss)
