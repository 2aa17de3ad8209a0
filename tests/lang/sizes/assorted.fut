-- Functions on arrays whose sizes are computed.
def chunked [n] 't (k: i64) (xs: [n]t) : ?[m].[m][k]t =
  let m = n / k in unflatten (take (m * k) xs)

-- ==
-- entry: a
-- input { } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64], [6i64, 7i64, 8i64]] }
entry a = chunked 3 (iota 10)
def windows [n] 't (k: i64) (xs: [n]t) : [n - k + 1][k]t =
  tabulate (n - k + 1) (\i -> xs[i:i + k] :> [k]t)

-- ==
-- entry: b
-- input { } output { [[1i32, 2i32], [2i32, 3i32], [3i32, 4i32]] }
entry b = windows 2 [1, 2, 3, 4i32]
def zip_longest [n][m] (def_: i32) (xs: [n]i32) (ys: [m]i32) : [](i32, i32) =
  let k = i64.max n m
  in map
       (\i -> (if i < n then xs[i] else def_, if i < m then ys[i] else def_))
       (iota k)

-- ==
-- entry: c
-- input { } output { [1i32, 2i32, 3i32] [4i32, 5i32, -1i32] }
entry c = unzip (zip_longest (-1) [1, 2, 3] [4, 5])
def outer [n][m] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [m]b) : [n][m]c =
  map (\x -> map (f x) ys) xs

-- ==
-- entry: d
-- input { } output { [[4i32, 5i32], [8i32, 10i32], [12i32, 15i32]] }
entry d = outer (*) [1, 2, 3i32] [4, 5]
def pairs [n] (xs: [n]i64) : [n * n](i64, i64) =
  flatten (outer (\a b -> (a, b)) xs xs)

-- ==
-- entry: e
-- input { } output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 20i64, 21i64, 22i64] }
entry e = map (\(x, y) -> x * 10 + y) (pairs (iota 3))
def f [n] (xs: [n]i32) (m: i64) (ys: [m]i32) = (n, m, length (xs ++ ys))

-- ==
-- entry: g
-- input { } output { 2i64 3i64 5i64 }
entry g = f [1, 2] 3 [1, 2, 3]
def dyn (n: i64) =
  let xs = filter (> 2) (iota n)
  let ys = map (* 2) xs
  in (zip xs ys |> map (\(a, b) -> a + b), length xs)

-- ==
-- entry: h
-- input { } output { [9i64, 12i64, 15i64] 3i64 }
entry h = dyn 6
def nest (n: i64) = let k = n * 2 let m = k + 1 in (iota k, iota m)

-- ==
-- entry: i
-- input { } output { 4i64 5i64 }
entry i = let (x, y) = nest 2 in (length x, length y)
def rows [n][m] (xss: [n][m]i32) = map (\r -> i32.sum r + i32.i64 m) xss

-- ==
-- entry: j
-- input { } output { [6i32, 6i32] }
entry j = rows (replicate 2 (replicate 3 1))
def even_ (x: i32) = x % 2 == 0
def existential = filter even_ [1, 2, 3, 4]

-- ==
-- entry: k
-- input { } output { [2i32, 4i32] [3i32, 5i32] }
entry k = zip existential (map (+ 1) existential) |> unzip
