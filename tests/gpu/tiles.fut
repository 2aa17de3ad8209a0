-- Products of matrices in tiles: sizes around those of the tiles, layouts, types.
-- ==
-- entry: plain turned batch whole differences added single
-- input { 1i64 } output { true }
-- input { 33i64 } output { true }
-- input { 65i64 } output { true }
-- input { 128i64 } output { true }
-- input { 203i64 } output { true }

def value (i: i64) (j: i64) : f64 = f64.i64 ((i * 37 + j * 11) % 19 - 9)

def same [n][m] (a: [n][m]f64) (b: [n][m]f64) : bool = and (map2 (\x y -> and (map2 (==) x y)) a b)

-- One element after the other.
def expected [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  tabulate_2d n p (\i j -> loop s = 0 for k in reverse (iota m) do s + a[i, k] * b[k, j])

def product [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a

entry plain (n: i64) : bool =
  let a = tabulate_2d n (n + 3) value
  let b = tabulate_2d (n + 3) (2 * n) (\i j -> value j i)
  in same (product a b) (expected a b)

entry turned (n: i64) : bool =
  let a = tabulate_2d (n + 1) n value
  let b = tabulate_2d (n + 2) (n + 1) value
  in same (product (transpose a) (transpose b)) (expected (transpose a) (transpose b))

entry batch (n: i64) : bool =
  let as = tabulate_3d 3 n 9 (\l i j -> value (i + l) j)
  let bs = tabulate_3d 3 9 n (\l i j -> value i (j + l))
  in and (map3 (\a b c -> same c (expected a b)) as bs (map2 product as bs))

entry whole (n: i64) : bool =
  let a = tabulate_2d n (n + 3) (\i j -> i64.f64 (value i j))
  let b = tabulate_2d (n + 3) n (\i j -> i64.f64 (value j i))
  let c = map (\r -> map (\c -> reduce i64.max (-1000) (map2 (*) r c)) (transpose b)) a
  in and (map2 (\i r -> and (map2 (\j x -> x == loop s = -1000 for k < n + 3 do i64.max s (a[i, k] * b[k, j])) (iota n) r)) (iota n) c)

-- What is computed from loads is shared.
entry differences (n: i64) : bool =
  let a = tabulate_2d n (n + 1) value
  let b = tabulate_2d (2 * n) (n + 1) value
  let m = tabulate (n + 1) (value 3)
  let c = map (\r -> map (\q -> f64.sum (map3 (\x y z -> (x - y) * z) r m q)) b) a
  in same c (expected (map (\r -> map2 (-) r m) a) (transpose b))

-- Two products that are added are one of longer matrices.
entry added (n: i64) : bool =
  let a = tabulate_2d n (n + 5) value
  let b = tabulate_2d n 19 value
  let v = tabulate_2d (2 * n) (n + 5) value
  let w = tabulate_2d (2 * n) 19 value
  let c = map2 (\r s -> map2 (\p q -> f64.sum (map2 (*) r p) + f64.sum (map2 (*) s q) + 1) v w) a b
  in same c (map2 (map2 (\x y -> x + y + 1)) (expected a (transpose v)) (expected b (transpose w)))

-- Results of a thread in f32.
entry single (n: i64) : bool =
  let f [n][m] (x: [n][m]f64) = map (map f32.f64) x
  let a = tabulate_2d (2 * n) (n + 5) value
  let b = tabulate_2d (2 * n) 19 value
  let v = tabulate_2d n (n + 5) value
  let w = tabulate_2d n 19 value
  let c = map2 (\r s -> map2 (\p q -> f32.sum (map2 (*) r p) + f32.sum (map2 (*) s q)) (f v) (f w)) (f a) (f b)
  in same (map (map f64.f32) c) (map2 (map2 (+)) (expected a (transpose v)) (expected b (transpose w)))
