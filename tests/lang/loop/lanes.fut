-- Nests of loops that the C back end does several iterations of at once, in tiles, vectors and
-- strips, against the same computed by plain loops.  The sizes leave rests everywhere.

def loop_mul [n][m][p] 't (add: t -> t -> t) (mul: t -> t -> t) (zero: t)
                          (a: [n][m]t) (b: [m][p]t) : [n][p]t =
  loop c = replicate n (replicate p zero) for i < n do
    loop c for j < p do
      let s = loop s = zero for k < m do add s (mul a[i, k] b[k, j])
      in c with [i, j] = s

def ints (n: i64) (m: i64) (seed: i64) : [n][m]i64 =
  tabulate_2d n m (\i j -> (i * 7919 + j * 104729 + seed * 31) % 17 - 8)

def f64s [n][m] (a: [n][m]i64) : [n][m]f64 = map (map f64.i64) a
def f32s [n][m] (a: [n][m]i64) : [n][m]f32 = map (map f32.i64) a

-- What is tested is not inlined, so that it is not fused with the comparison.
#[noinline] def mul_f64 [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
#[noinline] def mul_f32 [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- The sums are of whole numbers, so that they are exact in any order.
-- ==
-- entry: products
-- input { 1i64 1i64 1i64 } output { true }
-- input { 0i64 3i64 20i64 } output { true }
-- input { 5i64 0i64 20i64 } output { true }
-- input { 3i64 5i64 7i64 } output { true }
-- input { 4i64 16i64 8i64 } output { true }
-- input { 7i64 300i64 19i64 } output { true }
-- input { 70i64 33i64 21i64 } output { true }
-- input { 18i64 1100i64 37i64 } output { true }
-- input { 131i64 530i64 9i64 } output { true }
entry products (n: i64) (m: i64) (p: i64) : bool =
  let (a, b) = (ints n m 1, ints m p 2)
  let c = loop_mul (+) (*) 0 a b
  in mul_f64 (f64s a) (f64s b) == f64s c && mul_f32 (f32s a) (f32s b) == f32s c

#[noinline] def min_plus [n][m][p] (scale: [n]f64) (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map2 (\r s -> map (\c -> s - f64.minimum (map2 (+) r c) * 2) (transpose b)) a scale

-- Shortest paths: another operator, a parameter that is read in each row, and what comes after
-- the inner loop.
-- ==
-- entry: paths
-- input { 1i64 2i64 } output { true }
-- input { 9i64 17i64 } output { true }
-- input { 66i64 300i64 } output { true }
entry paths (n: i64) (m: i64) : bool =
  let (a, b) = (f64s (ints n m 3), f64s (ints m (n + 5) 4))
  let scale = map (\i -> f64.i64 (i % 3)) (iota n)
  let c = loop_mul f64.min (+) f64.inf a b
  in min_plus scale a b == map2 (\r s -> map (\x -> s - x * 2) r) c scale

def step (s: f32) (x: f32) (y: f32) : f32 =
  let d = x - y
  in if d < 0 && y != 3 then s - d * 2 else if s > 100 then s - 100 else s + f32.abs d
#[noinline] def steps [n][m] (a: [m]f32) (b: [m][n]f32) : [n]f32 =
  map (\c -> loop s = 0 for k < m do step s a[k] c[k]) (transpose b)

-- A choice and a comparison in each step.
-- ==
-- entry: choices
-- input { 1i64 1i64 } output { true }
-- input { 37i64 21i64 } output { true }
entry choices (n: i64) (m: i64) : bool =
  let (a, b) = (f32s (ints 1 m 5), f32s (ints m n 6))
  in steps a[0] b == loop r = replicate n 0 for j < n do
                       let s = loop s = 0 for k < m do step s a[0, k] b[k, j]
                       in r with [j] = s

#[noinline] def columns_f64 [n][m] (a: [n][m]f64) : [m]f64 = map f64.sum (transpose a)
#[noinline] def columns_f32 [n][m] (a: [n][m]f32) : [m]f32 = map f32.sum (transpose a)
#[noinline] def columns_i64 [n][m] (a: [n][m]i64) : [m]i64 = map i64.sum (transpose a)

-- Sums of columns, more than fit a strip.
-- ==
-- entry: columns
-- input { 0i64 5i64 } output { true }
-- input { 3i64 1i64 } output { true }
-- input { 5i64 5001i64 } output { true }
entry columns (n: i64) (m: i64) : bool =
  let a = ints n m 7
  let sums = loop r = replicate m 0 for i < n do
               loop r for j < m do r with [j] = r[j] + a[i, j]
  in columns_f64 (f64s a) == map f64.i64 sums && columns_f32 (f32s a) == map f32.i64 sums &&
     columns_i64 a == sums

-- The first of the largest elements; what is no number is never larger.
-- ==
-- entry: largest
-- input { [1f32, 5f32, 2f32, 5f32, f32.nan, 3f32] } output { 1i64 }
-- input { [f32.nan, f32.nan] } output { 2i64 }
-- input { [f32.nan, -f32.inf, 0f32] } output { 2i64 }
-- input { [-f32.inf, -f32.inf] } output { 0i64 }
-- input { empty([0]f32) } output { 0i64 }
entry largest [n] (xs: [n]f32) : i64 =
  let larger (a, i) (b, j) = if b > a || (a == b && j < i) then (b, j) else (a, i)
  in (reduce larger (-f32.inf, n) (zip xs (iota n))).1

def f (x: f64) : f64 = if x < 0 then f64.exp x else f64.log x
def g (x: f64) : f64 = f64.sin x * f64.tanh x + f64.cos (x * 1000)
def h (i: i64) : f64 = f64.exp (f64.i64 i / 100)
#[noinline] def map_f (xs: []f64) = map f xs
#[noinline] def map_g (xs: []f64) = map g xs
#[noinline] def map_h (n: i64) = map h (iota n)

-- Functions of elements, in vectors and one by one.
-- ==
-- entry: functions
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 39i64 } output { true }
entry functions (n: i64) : bool =
  let xs = map (\i -> f64.i64 (i * 7 % 13) / 4 - 1) (iota n)
  let near (a: f64) (b: f64) = a == b || f64.abs (a - b) <= 1e-15 * (1 + f64.abs b)
  let one k = k[0]
  in and (map2 near (map_f xs) (map (\x -> one (map_f [x])) xs)) &&
     and (map2 near (map_g xs) (map (\x -> one (map_g [x])) xs)) &&
     and (map2 near (map_h n) (map (\i -> last (map_h (i + 1))) (iota n)))

-- A sum, where the smallest is, and a mapped result in one loop.
-- ==
-- entry: together
-- input { 0i64 } output { 0i64 0f64 }
-- input { 3i64 } output { 1i64 24f64 }
-- input { 50i64 } output { 4i64 281f64 }
entry together (n: i64) : (i64, f64) =
  let xs = #[opaque] (map (\i -> f64.i64 ((i + 2) * 5 % 11)) (iota n))
  let least = f64.minimum xs
  let place = i64.minimum (map2 (\x i -> if x == least then i else n) xs (iota n))
  in (place % (n + 1) % 5, f64.sum (map2 (\x i -> if i % 2 == 0 then x else x + 1) xs (iota n)))

-- Short and long sums of squares with partial results.
-- ==
-- entry: squares
-- input { 0i64 } output { 0f64 }
-- input { 15i64 } output { 1015f64 }
-- input { 16i64 } output { 1240f64 }
-- input { 1000i64 } output { 332833500f64 }
entry squares (n: i64) : f64 = f64.sum (map (\i -> f64.i64 i * f64.i64 i) (iota n))

-- A check that holds for the first iterations only.
-- ==
-- entry: beyond
-- input { [1f64, 2f64, 3f64] 1i64 2i64 } output { 5f64 }
-- input { [1f64, 2f64, 3f64] 1i64 3i64 } error: Index \[3\] out of bounds
-- input { [1f64, 2f64, 3f64] -1i64 2i64 } error: Index \[-1\] out of bounds
-- input { [1f64, 2f64, 3f64] 9i64 2i64 } error: Index \[9\] out of bounds
-- input { [1f64, 2f64, 3f64] 5i64 0i64 } output { 0f64 }
-- input { [1f64, 2f64, 3f64] 1i64 -1i64 } output { 0f64 }
-- input { [1f64, 2f64, 3f64] 9223372036854775807i64 2i64 } error: Index \[9223372036854775807\] out
entry beyond [n] (xs: [n]f64) (a: i64) (k: i64) : f64 =
  loop s = 0 for i < k do s * 0.5 + xs[a + i] + s * 0.5
