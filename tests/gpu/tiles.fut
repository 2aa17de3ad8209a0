-- Products of matrices in tiles: sizes around those of the tiles, layouts, types.
-- ==
-- entry: plain turned batch whole differences added single narrow windows filters
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

-- A few columns, and a few rows, whose steps lie together.
entry narrow (n: i64) : bool =
  let a = tabulate_2d (n + 20) (n + 32) (\i j -> f32.f64 (value i j))
  let b = tabulate_2d (16 + n % 16) (n + 32) (\i j -> f32.f64 (value j i))
  let c = map (\r -> map (\q -> f32.sum (map2 (*) r q)) b) a
  let d = map (\r -> map (\q -> f32.sum (map2 (*) r q)) a) b
  let exact xss = map (map f64.f32) xss
  in same (exact c) (expected (exact a) (transpose (exact b))) && same (exact d) (transpose (exact c))

-- Results of a thread in f32.
entry single (n: i64) : bool =
  let f [n][m] (x: [n][m]f64) = map (map f32.f64) x
  let a = tabulate_2d (2 * n) (n + 5) value
  let b = tabulate_2d (2 * n) 19 value
  let v = tabulate_2d n (n + 5) value
  let w = tabulate_2d n 19 value
  let c = map2 (\r s -> map2 (\p q -> f32.sum (map2 (*) r p) + f32.sum (map2 (*) s q)) (f v) (f w)) (f a) (f b)
  in same (map (map f64.f32) c) (map2 (map2 (+)) (expected a (transpose v)) (expected b (transpose w)))

-- Windows of rows, with nothing past their ends: loads in branches, more of them than in a product.
def pixel [n] (row: [n]f64) (j: i64) : f64 = if j >= 0 && j < n then row[j] else 0

def convolved [o][c][n] (ks: [o][c][5]f64) (x: [c][n]f64) : [o][n]f64 =
  map (\k -> tabulate n (\j -> f64.sum (map2 (\k row -> k[0] * pixel row (j - 2) + k[1] * pixel row (j - 1)
                                                      + k[2] * row[j] + k[3] * pixel row (j + 1)
                                                      + k[4] * pixel row (j + 2)) k x)))
      ks

def filter_of (o: i64) (c: i64) : [o][c][5]f64 = opaque (tabulate_3d o c 5 (\i j l -> value (i + l) j))

entry windows (n: i64) : bool =
  let x = opaque (tabulate_2d (n % 7 + 9) n value)
  let ks = filter_of (n / 2 + 1) (n % 7 + 9)
  let one k j = loop s = 0 for c < n % 7 + 9 do loop s for d < 5 do s + k[c, d] * pixel x[c] (j + d - 2)
  in same (opaque (convolved ks x)) (map (\k -> map (one k) (iota n)) ks)

-- Their derivatives by the filters: several sums at a time.
entry filters (n: i64) : bool =
  let xs = opaque (tabulate_3d 3 (n % 5 + 8) n (\b c j -> value (b + c) j))
  let ks = filter_of (n / 2 + 9) (n % 5 + 8)
  let ws = opaque (tabulate_3d 3 (n / 2 + 9) n (\b o j -> value (o - b) (j * j)))
  let got =
    opaque <| vjp (\ks -> f64.sum (map2 (\x w -> f64.sum (map f64.sum (map2 (map2 (*)) w (convolved ks x)))) xs ws)) ks 1
  let one o c d = loop s = 0 for b < 3 do loop s for j < n do s + ws[b, o, j] * pixel xs[b, c] (j + d - 2)
  in and (map2 (\o ks -> and (map2 (\c k -> and (map2 (\d v -> v == one o c d) (iota 5) k)) (iota (n % 5 + 8)) ks)) (iota (n / 2 + 9)) got)
