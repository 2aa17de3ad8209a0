-- Programs for test_gpu_torch.py and test_gpu_jax.py.
entry axpb [n] (a: f32) (b: f32) (xs: [n]f32) : [n]f32 = map (\x -> a * x + b) xs
entry loss [n] (w: [n]f64) (x: [n]f64) : f64 = f64.sum (map2 (\a b -> f64.sin (a * b) + a * a * b) w x)
entry lin [n][m] (a: [n][m]f64) (v: [m]f64) (s: f64) (k: i64) : ([n]f64, f64) =
  (map (\r -> s * f64.sum (map2 (*) r v)) a, f64.i64 k * s * f64.sum v)
entry positive [n] (xs: [n]f32) : []f32 = filter (> 0) xs
entry at [n] (is: [n]i64) (xs: [n]f32) : [n]f32 = map (\i -> xs[i]) is
entry numbers (n: i64) : [n]f32 = tabulate n f32.i64
entry first_one [n] (xs: *[n]f32) : *[n]f32 = if n > 0 then xs with [0] = 1 else xs
entry counts [n] (is: [n]i64) : [4]i64 = reduce_by_index (replicate 4 0) (+) 0 is (map (const 1) is)
entry steps [n] (k: i64) (xs: [n]f32) : ([n]f32, f32) =
  let ys = loop xs for _i < k do map (\x -> x + 1 / (1 + f32.abs x)) xs
  in (ys, f32.sum ys)
entry sums [n] (xs: [n]f32) : {mean: f32, all: (f32, i64)} =
  let s = f32.sum xs in {mean = s / f32.i64 n, all = (s, n)}
