-- Products of f32 matrices, for the option --tf32: the factors are whole numbers that TF32 has, so
-- results are the same with it.
-- ==
-- entry: plain turned differences
-- input { 1i64 7i64 } output { true }
-- input { 65i64 64i64 } output { true }
-- input { 128i64 131i64 } output { true }
-- input { 203i64 33i64 } output { true }
-- no_opencl input { 1100i64 40i64 } output { true }

def value (i: i64) (j: i64) : f32 = f32.i64 ((i * 37 + j * 11) % 19 - 9)

def same [n][m] (a: [n][m]f32) (b: [n][m]f32) : bool = and (map2 (\x y -> and (map2 (==) x y)) a b)

-- One element after the other.
def expected [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  tabulate_2d n p (\i j -> loop s = 0 for k in reverse (iota m) do s + a[i, k] * b[k, j])

def product [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

entry plain (n: i64) (m: i64) : bool =
  let a = tabulate_2d n m value
  let b = tabulate_2d m (2 * n) (\i j -> value j i)
  in same (product a b) (expected a b)

entry turned (n: i64) (m: i64) : bool =
  let a = tabulate_2d m n value
  let b = tabulate_2d (n + 2) m value
  in same (product (transpose a) (transpose b)) (expected (transpose a) (transpose b))

entry differences (n: i64) (m: i64) : bool =
  let a = tabulate_2d n m value
  let b = tabulate_2d m n (\i j -> value (j + 1) i)
  let c = tabulate m (\k -> f32.i64 (k % 5))
  in same (map (\r -> map (\x -> f32.sum (map3 (\p q v -> (p - v) * q) r x c)) (transpose b)) a)
          (expected (map (\r -> map2 (-) r c) a) b)
