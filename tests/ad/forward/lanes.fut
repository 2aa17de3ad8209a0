-- A few directions at once, known before: tangents of all of them are computed beside the values.
-- Each function through jmp and, direction by direction, through jvp: the largest difference.
def some (k: i64) (i: i64) : [k]f64 = tabulate k (\j -> f64.sin (f64.i64 (3 * i + 7 * j + 1)))

def same [m] (f: [6]f64 -> [m]f64) : bool =
  let x = some 6 5
  let seeds = [some 6 0, some 6 1, some 6 2, some 6 3, some 6 4]
  let (y, all) = jmp2 f x seeds
  let (y', each) = unzip (map (jvp2 f x) seeds)
  let near a b = f64.abs (a - b) <= 1e-12 * (1 + f64.abs a)
  in and (map2 near y (f x)) && and (map2 near y (y'[0])) && and (map2 near (flatten all) (flatten each))

-- maps of maps, with sums of products, with loops, with functions inside
def product (x: [6]f64) : [3 * 3]f64 =
  let a = unflatten (x ++ x[0:3] :> [3 * 3]f64)
  in flatten (map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose a)) a)

def heavy (x: [6]f64) : [6]f64 =
  map (\a -> f64.sum (map (\b -> f64.exp (a * b) + loop s = b for _i < 3i32 do f64.sin (s * a)) x)) x

def tables (x: [6]f64) : [6 * 4]f64 = flatten (tabulate_2d 6 4 (\i j -> x[i] * x[(i + j) % 6] + x[j]))

-- ==
-- entry: nests
-- input { } output { true }
entry nests = same product && same heavy && same tables

-- arrays updated in place: elements swapped, rows, under branches, in loops inside of maps
def swaps (x: [6]f64) : [6]f64 =
  loop a = copy x
  for i < 5i64 do
    let p = a[i]
    let q = a[i + 1]
    let a = a with [i] = q * x[5 - i]
    in a with [i + 1] = p

def rows (x: [6]f64) : [6 * 3]f64 =
  flatten (loop a = tabulate_2d 6 3 (\i j -> x[i] + f64.i64 j)
           for i < 5i64 do
             if x[i] < 0 then a else a with [i + 1] = map2 (*) a[i] a[i + 1])

def inside (x: [6]f64) : [6]f64 =
  map (\c -> let a = loop a = copy x for i < 5i64 do a with [i + 1] = a[i] * c + a[i + 1]
             in a[5] + a[2])
      x

-- ==
-- entry: updates
-- input { } output { true }
entry updates = same swaps && same rows && same inside

-- branches with much and with little in them, while loops
def large (x: [6]f64) : [6]f64 =
  map (\a -> if a > 0 then f64.sum (map (f64.exp <-< (* a)) x) else a) x

def small (x: [6]f64) : [6]f64 = map2 (\a (i: i64) -> if i % 2 == 0 then a * a else -a) x (iota 6)

def choice (x: [6]f64) : [6]f64 =
  map2 (\a (i: i64) -> match i % 3
                       case 0 -> a * x[0]
                       case 1 -> f64.sum x * a
                       case _ -> 1)
       x (iota 6)

def until (x: [6]f64) : [2]f64 =
  let (s, k) = loop (s, k) = (x[0], 1) while f64.abs s < 10 do (s * s + f64.abs x[1] + 1, k * s)
  in [s, k]

-- ==
-- entry: branches
-- input { } output { true }
entry branches = same large && same small && same choice && same until

-- reductions, scans, histograms, scatters
def sums (x: [6]f64) : [4]f64 =
  let rows = map (\a -> map (f64.sin <-< (* a)) x) x
  let (s, t) = reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\r -> (f64.sum r, f64.product r)) rows)
  in [s, t, f64.maximum x, f64.product x]

def prefixes (x: [6]f64) : [6]f64 = map (\a -> f64.sum (scan (*) 1 (map (* a) x))) x

def binned (x: [6]f64) : [4]f64 =
  reduce_by_index (replicate 4 0) (+) 0 [0, 1, 1, 3, 0, 9] (map (\a -> f64.exp (f64.sum (map (* a) x))) x)

def kept (x: [6]f64) : [1]f64 = [f64.sum (map (\a -> f64.sum (filter (> a) x) * a) x)]

-- ==
-- entry: folds
-- input { } output { true }
entry folds = same sums && same prefixes && same binned && same kept

-- views and copies
def turned (x: [6]f64) : [4 * 3]f64 =
  let a = map (\c -> map (* c) x[0:2]) x
  let b = transpose a ++ transpose (reverse a)
  in flatten (map (\r -> map (* r[0]) r[0:3]) (b :> [4][6]f64))

def literals (x: [6]f64) : [6]f64 =
  let pairs = map (\a -> [a * a, f64.sin a]) x
  in map (\p -> p[0] * p[1]) (pairs ++ replicate 0 [x[0], x[1]] :> [6][2]f64)

-- ==
-- entry: views
-- input { } output { true }
entry views = same turned && same literals

-- what is consumed is needed for no direction after the first
def eaten (x: [6]f64) : [6]f64 =
  let a = map (\c -> f64.sum (map (* c) x)) x
  let b = map (\c -> loop s = c for i < 3i64 do s * a[i]) a
  let a = a with [2] = x[3]
  let a = scatter a [0, 5] [b[1], x[0]]
  in map2 (\p q -> loop s = p for _i < 2i32 do s * q) a b

-- ==
-- entry: consumed
-- input { } output { true }
entry consumed = same eaten

-- ==
-- entry: values
-- input { }
-- output { [6.0, 13.0, 21.0] [[7.0, 3.0, 4.0], [1.0, 8.0, 4.0], [1.0, 2.0, 9.0]] }
entry values =
  jmp2 (\(x: [3]f64) -> map (\a -> f64.sum (map (* a) x) + loop s = 0 for i < 3i64 do s + x[i] * f64.bool (x[i] < a)) x)
       [1, 2, 3] ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] : [3][3]f64)
