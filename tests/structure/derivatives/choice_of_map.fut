-- Only the element that a reduction chooses goes through the function again: no prefixes, no rows of them.
-- structure soac: screma.scan 0, screma 1
-- ==
-- input { [[3f64,1f64],[1f64,0.5f64],[2f64,1f64]] }
-- output { [[0.0f64, 0.0f64],  [0.5f64, 1.0f64],  [0.0f64, 0.0f64]] }
entry main [n] (xs: [n][2]f64) : [n][2]f64 =
  vjp (\xs -> let (_, p) = reduce (\a b -> if b.0 < a.0 then b else a) (f64.inf, 0)
                                  (map (\x -> (x[0] * x[0], x[0] * x[1])) xs)
              in p) xs 1
