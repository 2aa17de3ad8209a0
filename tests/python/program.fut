-- What the tests of the Python package call.

-- | A loss with a known gradient.
entry loss [n] (w: [n]f64) (x: [n]f64) : f64 = f64.sum (map2 (\a b -> f64.sin (a * b) + a * a * b) w x)
entry lin [n][m] (a: [n][m]f64) (v: [m]f64) (s: f64) (k: i64) : ([n]f64, f64) =
  (map (\r -> s * f64.sum (map2 (\p q -> p * q * q) r v)) a, s * f64.i64 k * f64.sum v)
entry same [n] (xs: [n]f64) : [n]f64 = xs
entry first_one [n] (xs: *[n]f64) : [n]f64 = xs with [0] = 1
entry positive [n] (xs: [n]i32) : []i32 = filter (> 0) xs
entry at [n] (xs: [n]f32) (i: i64) : f32 = xs[i]
entry kinds (a: i8) (b: u16) (c: f16) (d: f32) (e: bool) : (i8, u16, f16, f32, bool) =
  (a + 1, b + 1, c / 2, d / 2, !e)
entry model [n] (p: {w: [n]f64, b: f64}) (q: (f64, i32)) : (f64, {y: [n]f64}) =
  (f64.sum p.w * p.b * q.0, {y = map (+ q.0) p.w})
entry table (n: i64) : [n][3]i64 = tabulate_2d n 3 (\i j -> i * j)
entry slow (n: i64) : f64 = loop x = 1 for i < n do f64.sqrt (x + f64.i64 i)
entry big (n: i64) : []u8 = replicate n 7
entry fives [n] (xs: [5]f64) (ys: [n]f64) : f64 = f64.sum xs + f64.sum ys
entry flags [n] (xs: [n]bool) (x: bool) : (i64, [n]bool) = (i64.sum (map i64.bool xs) * 1000 + i64.bool x, map (!) xs)
entry set_flag [n] (xs: *[n]bool) : [n]bool = xs with [0] = true
