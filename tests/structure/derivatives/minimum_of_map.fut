-- Only the row that is the minimum goes through the function again.
-- structure soac: screma.scan 0, withacc 0
-- ==
-- input { [[3f64,1f64],[1f64,0.5f64],[2f64,1f64]] }
-- output { [[0.0f64, 0.0f64],  [2.0f64, 1.0f64],  [0.0f64, 0.0f64]] }
entry main [n][d] (xs: [n][d]f64) : [n][d]f64 =
  vjp (\xs -> f64.minimum (map (\x -> f64.sum (map (\v -> v * v) x)) xs)) xs 1
