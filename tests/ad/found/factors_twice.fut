-- The gradient of a sum over all elements of a product, which every row of a map takes again.  The
-- factors of the product come out of the accumulated sum first; what is left to add are sums that
-- the next round takes, in an accumulator that the first one made.
-- ==
-- entry: gradient
-- input { [9f64, 9f64, 9f64] [0.5f64, 0.25f64] [1f64, 2f64, 3f64] }
-- output { [0f64, 0f64, 0f64] [12f64, 12f64] }

def sums [n][m] (x: [n]f64, z: [m]f64) : [n]f64 =
  let times a b = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
  let product = transpose (times (replicate m z) (replicate m (replicate m 0.5)))
  in map (\_ -> f64.sum (flatten product)) x

entry gradient [n][m] (x: [n]f64) (z: [m]f64) (w: [n]f64) = vjp sums (x, z) w
