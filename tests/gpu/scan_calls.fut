-- A scan of tiles calls a function, where another one that threads call allocates: the kernel has a part of the
-- heap for each of its threads, and no tiles.
-- ==
-- input { 4i64 [1.5, -2.5, 3.0] } output { [24.0, -2.5, 48.0] [1.5, 8.0, 9.5] }
-- input { 0i64 empty([0]f64) } output { empty([0]f64) empty([0]f64) }

#[noinline]
def steps (x: f64) : f64 = loop y = x for i < i64.f64 (f64.abs x) do y + f64.i64 i + 1.5 - x

#[noinline]
def grown (k: i64) (x: f64) : f64 = f64.sum (loop a = [x] for i < k do a ++ filter (> 0) a)

entry main [n] (k: i64) (xs: [n]f64) : ([n]f64, [n]f64) = (map (grown k) xs, scan (+) 0 (map steps xs))
