-- What tests/gen/call.c calls through the uniform interface.
entry same [n] (xs: [n]f64) : [n]f64 = xs
entry twice [n] (xs: [n]f64) : ([n]f64, [n]f64) = let ys = map (* 2) xs in (ys, ys)
entry first_one [n] (xs: *[n]f64) : [n]f64 = xs with [0] = 1
entry add [n] (a: f64) (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (\x y -> a * x + y) xs ys
entry kept [n] (xs: [n]i32) : ([]i32, i64) = let ys = filter (> 0) xs in (ys, length ys)
entry scans [n] (xs: [n]f64) : {up: [n]f64, down: [n]f64} =
  {up = scan (+) 0 xs, down = reverse (scan (+) 0 (reverse xs))}
entry either [n] (c: bool) (xs: [n]f64) : [n]f64 = if c then xs else map (+ 1) xs
entry half (x: f16) : f16 = x / 2
entry at [n] (xs: [n]i32) (i: i64) : i32 = xs[i]
entry nothing : i32 = 42
entry table (n: i64) : [n][3]i64 = tabulate_2d n 3 (\i j -> i * j)
entry slow (n: i64) : f64 = loop x = 1 for i < n do f64.sqrt (x + f64.i64 i)
entry big (n: i64) : []u8 = replicate n 7
entry nth [n] [m] (_: [n][m]f64) (xs: []f64) : f64 = if 8 * n < length xs then xs[n] else 7
