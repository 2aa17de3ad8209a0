-- Functions and choices in vectors: see vectors.sh.
def entropy_of [n] (xs: [n]f64) : f64 =
  f64.sum (map (\x -> if x > 0 then -x * f64.log (x / f64.max (x * x) 1e-12) else 0) xs)

entry entropy [n] (xs: [n]f64) (_: [n]f32) : f64 = entropy_of xs

entry entropy_gradient [n] (xs: [n]f64) (_: [n]f32) : [n]f64 = vjp entropy_of xs 1

-- Three pieces, each of which may be no number where another is taken.
def piece (x: f32) : (f32, f32) =
  if x < -1 then (f32.sqrt (-1 - x) + f32.log (-x), 1)
  else if x < 0.5 then let y = x * x in (y * y + f32.exp y, y)
  else (f32.log (x + 0.5) / x, f32.tanh x)

entry pieces [n] (_: [n]f64) (xs: [n]f32) : ([n]f32, f32) =
  let ys = map (\x -> piece x |> \(a, b) -> a * b) xs
  in (ys, f32.sum (map (\x -> (piece x).1) xs))

entry softplus [n] (xs: [n]f64) (_: [n]f32) : ([n]f64, f64) =
  (map f64.log1p xs, f64.sum (map (\x -> f64.max x 0 + f64.log1p (f64.exp (-f64.abs x))) xs))

entry softplus32 [n] (_: [n]f64) (xs: [n]f32) : [n]f32 =
  map (\x -> f32.max x 0 + f32.log1p (f32.exp (-f32.abs x))) xs

entry elu [n] (xs: [n]f64) (_: [n]f32) : ([n]f64, f64) =
  let ys = map (\x -> if x > 0 then x else f64.exp x - 1) xs
  in (ys, f64.sum (map (\y -> if y < 0.5 then f64.exp y - 1 else f64.cos y) ys))

-- The branch has a load, which is outside of the array where it is not taken.
entry guarded [n] (xs: [n]f64) (_: [n]f32) : f64 =
  let k = n / 2
  in f64.sum (map2 (\i x -> if i < k && x < 2 then f64.exp (-x) * xs[k - 1 - i] else x) (iota n) xs)

-- As many iterations as eight narrow vectors have lanes, but not eight of the widest.
entry sixty_four [n] (_: [n]f64) (xs: [n]f32) : [64]f32 =
  tabulate 64 (\i -> f32.sum (map (\x -> (x - f32.i64 i) * (x - f32.i64 i)) xs))
