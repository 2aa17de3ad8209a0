-- The sum of the squared distances of points from the nearest centre, and its Newton direction.
def distance2 [d] (a: [d]f64) (b: [d]f64) : f64 =
  f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)

entry primal [n][k][d] (points: [n][d]f64) (centres: [k][d]f64) : f64 =
  f64.sum (map (\p -> f64.minimum (map (distance2 p) centres)) points)

-- The Hessian is diagonal, so that its product with ones is all of it.
entry direction [n][k][d] (points: [n][d]f64) (centres: [k][d]f64) : [k][d]f64 =
  let gradient c = vjp (primal points) c 1
  let (g, h) = jvp2 gradient centres (replicate k (replicate d 1))
  in map2 (map2 (/)) g h
