-- Calls that take much too long, of all kinds: for cancel.c.

-- A loop that is alone.
entry counting (n: i64) : f64 = loop x = 1 for i < n do f64.sqrt (x + f64.i64 i)

-- A reduction in vectors, without memory.
entry reduction (n: i64) : f64 = f64.sum (map (\i -> f64.sqrt (f64.i64 i)) (iota n))

-- One in several places.
entry integers (n: i64) : i32 = i32.sum (map (\i -> i32.i64 (i * i ^ (i >> 3))) (iota n))

-- Loops in loops.
entry nested (n: i64) : f64 =
  loop x = 1 for i < n do
    f64.sum (map (\j -> f64.exp (-x) * f64.i64 (j ^ i)) (iota 1000))

-- One that never ends, alone and inside of others.
entry endless (n: i64) : i64 = loop x = n while x != 0 do (x * 5 + 1) % 1024 + 1
entry rows (n: i64) : [10]i64 = map (\k -> loop x = n + k while x != 0 do (x * 5 + 1) % 1024 + 1) (iota 10)

-- Inner loops of no end: in rows, several rows at a time, with a bound.
entry inner (n: i64) : [100]f64 = map (\i -> f64.sum (map (\j -> f64.sin (f64.i64 (i * j))) (iota n))) (iota 100)
entry bounded (n: i64) : [10]f64 =
  map (\k -> (loop (i, x) = (0, f64.i64 k) while i < n && x >= 0 do (i + 1, x * 0.5 + 1)).1) (iota 10)

-- Iterations that take long, and such that copy arrays.
entry heavy (n: i64) : f64 =
  loop x = 1 for i < n do
    let a = f64.exp (f64.sin (x + f64.i64 i)) ** 1.1
    let b = f64.log (1 + f64.cos a * f64.cos a)
    let c = f64.tan (f64.sinh b / f64.cosh a)
    in f64.lgamma (3 + f64.atan c) + f64.erf (a * b)
entry copies (n: i64) : f64 =
  (loop (xs, s) = (replicate 10000 1.0, 0) for i < n do
     let ys = copy xs with [i % 10000] = s
     in (if s > 3 then ys else xs, s + 1)).1

-- Single statements that write much: a fill, copies, a transposition; of an array that is there before.
entry given : []f64 = map f64.i64 (iota 33554432)
entry filled (n: i64) : []f64 = replicate (i64.min n 67108864) (f64.i64 n)
entry joined [n] (xs: [n]f64) : []f64 = xs ++ xs
entry transposed [n] (xs: [n]f64) : [][]f64 = copy (transpose (unflatten (xs :> [n / 4096 * 4096]f64)))

-- A product of matrices that takes long, and rows that do although an iteration is short.
entry product [n] (xs: [n]f64) : [][]f64 =
  let a = unflatten (xs :> [4096 * (n / 4096)]f64)
  in map (\r -> map (\c -> f64.sum (map2 (*) r c)) a) a
entry chained [n] (xs: [n]f64) : []f64 =
  map (\i -> loop s = f64.i64 i for x in xs do
              let a = (s * 0.5 + x) * (s - x) * 0.25
              let b = (a * 0.5 - x) * (a + s) * 0.25
              in (b * 0.5 + x) * (b - a) * 0.25) (iota 16)

-- Recursion without a loop.
def fib (n: i64) : i64 = if n < 2 then n else fib (n - 1) + fib (n - 2)
entry recursion (n: i64) : i64 = fib (i64.min n 90)

-- Arrays, step by step; each step is a region or a kernel.
entry steps (n: i64) : f64 =
  f64.sum (loop xs = replicate 1000 1.0 for i < n do map (\x -> f64.cos (x + f64.i64 i)) xs)

-- Steps that are a kernel each, since they mix what threads have.
entry kernels (n: i64) : f64 =
  f64.sum (loop xs = replicate 10000 1.0 for i < n do map2 (\x y -> x * 0.5 + y * 0.25) xs (rotate (i % 7) xs))

-- A large map, and a matrix of no end.
entry wide (n: i64) : f64 =
  f64.sum (map (\i -> f64.sum (map (\j -> f64.log (f64.i64 (1 + i + j))) (iota (i64.min n 100000)))) (iota n))

entry small (n: i64) : i64 = i64.sum (iota n)
