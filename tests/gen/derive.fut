-- What tests/gen/derive.sh derives from.

-- | A sum of products, of which the derivatives are known.
entry loss [n] (w: [n]f64) (x: [n]f64) (k: i64) : f64 =
  f64.i64 k * f64.sum (map2 (\a b -> a * a * b) w x)

-- The size of the first result is known only afterwards.
entry positive [n] (xs: [n]f64) (k: i64) : ([]f64, [n]f64, i64) =
  (map (* 3) (filter (> 0) xs), map (* f64.i64 k) xs, k + 1)

-- A record, a tuple, and an argument that is consumed.
entry model [n] (p: {w: [n]f64, b: f64}) (q: (f64, i32)) (buf: *[n]f64) : (f64, {y: [n]f64}) =
  let buf = buf with [0] = 2 * buf[0] * p.b
  in (f64.sum (map2 (*) p.w buf) * q.0, {y = map (+ q.0) buf})

entry rows [n][m] (a: [n][m]f32) (v: [m]f32) : [n]f32 =
  map (\r -> f32.sum (map2 (*) r v)) a

entry sized (n: i64) (xs: [n]f64) : [n]f64 = map (* 2) xs

entry count (x: i32) : i32 = x + 1
