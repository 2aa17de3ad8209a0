-- Sums of products in many writings: large enough to be packed, sizes that fill no tile.  Each is held against sums
-- with whole numbers done one by one, which are exact.
-- ==
-- entry: plain left right both swapped indices inplace outer batches minus columns
-- input { 37i64 300i64 45i64 } output { 0.0 }
-- input { 5i64 3i64 200i64 } output { 0.0 }
-- input { 64i64 16i64 33i64 } output { 0.0 }
-- input { 7i64 301i64 19i64 } output { 0.0 }
-- input { 30i64 139i64 9i64 } output { 0.0 }
-- input { 6i64 40i64 500i64 } output { 0.0 }
-- input { 4i64 5i64 17i64 } output { 0.0 }
-- input { 13i64 130i64 35i64 } output { 0.0 }
-- input { 9i64 70i64 3i64 } output { 0.0 }
-- input { 3i64 0i64 5i64 } output { 0.0 }
-- input { 0i64 7i64 5i64 } output { 0.0 }

def value (seed: i64) (i: i64) (j: i64) : f64 = f64.i64 ((i * 7 + j * 13 + seed * i * j + seed) % 9 - 4)

def matrix (seed: i64) (n: i64) (m: i64) : *[n][m]f64 = opaque (tabulate_2d n m (value seed))

-- The largest difference to what the sums of whole numbers are.
def difference [n][p] (m: i64) (a: i64 -> i64 -> f64) (b: i64 -> i64 -> f64) (c: [n][p]f64) : f64 =
  let c = opaque c
  in f64.maximum ([0] ++ flatten (tabulate_2d n p (\i j ->
    let s = loop s = 0i64 for k < m do s + i64.f64 (a i k) * i64.f64 (b k j)
    in f64.abs (c[i, j] - f64.i64 s))))

def dot [n] (x: [n]f64) (y: [n]f64) : f64 = f64.sum (map2 (*) x y)

entry plain (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m p)
  in difference m (value 1) (value 2) (map (\x -> map (dot x) (transpose b)) a)

entry left (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 m n, matrix 2 m p)
  in difference m (\i k -> value 1 k i) (value 2) (map (\x -> map (dot x) (transpose b)) (transpose a))

entry right (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 p m)
  in difference m (value 1) (\k j -> value 2 j k) (map (\x -> map (dot x) b) a)

entry both (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 m n, matrix 2 p m)
  in difference m (\i k -> value 1 k i) (\k j -> value 2 j k) (map (\x -> map (dot x) b) (transpose a))

entry swapped (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m p)
  in difference m (value 1) (value 2) (transpose (map (\y -> map (\x -> dot x y) a) (transpose b)))

entry indices (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m p)
  in difference m (value 1) (value 2) (tabulate_2d n p (\i j -> loop s = 0 for k < m do s + a[i, k] * b[k, j]))

entry inplace (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m p)
  let c =
    loop c = replicate n (replicate p 0) for k < m do
      loop c for i < n do
        loop c for j < p do c with [i, j] = c[i, j] + a[i, k] * b[k, j]
  in difference m (value 1) (value 2) c

entry outer (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m p)
  let c =
    loop c = replicate n (replicate p 0) for k < m do
      map2 (\r x -> map2 (\y z -> y + x * z) r b[k]) c a[:, k]
  in difference m (value 1) (value 2) c

entry batches (n: i64) (m: i64) (p: i64) : f64 =
  let a = tabulate 3 (\l -> matrix l n m)
  let b = tabulate 3 (\l -> matrix (l + 1) m p)
  let c = map2 (\a b -> map (\x -> map (dot x) (transpose b)) a) a b
  in f64.maximum (map2 (\l c -> difference m (value l) (value (l + 1)) c) (iota 3) c)

entry minus (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m p)
  let c =
    loop c = replicate n (replicate p 0) for k < m do
      loop c for i < n do
        loop c for j < p do c with [i, j] = c[i, j] - a[i, k] * b[k, j]
  in difference m (\i k -> -value 1 i k) (value 2) c

-- A bias before and a function after the sums; every second column of b.
entry columns (n: i64) (m: i64) (p: i64) : f64 =
  let (a, b) = (matrix 1 n m, matrix 2 m (2 * p))
  let bias = tabulate p (\j -> value 3 j j)
  let c = map (\x -> map2 (\j v -> 2 * (v + dot x b[:, 2 * j])) (iota p) bias) a
  in difference m (value 1) (\k j -> value 2 k (2 * j)) (map (map2 (\v s -> s / 2 - v) bias) c)
