-- Types with sizes, hidden and open.
type~ vec = []f32
type mat [n][m] = [n][m]f32
type square [n] = mat [n][n]
type~ anymat = ?[n][m].mat [n][m]
def mk (n: i64) : square [n] = tabulate_2d n n (\i j -> f32.i64 (i * n + j))
def tr [n] (m: square [n]) : square [n] = transpose m
def first_row (m: anymat) : vec = if length m == 0 then [] else m[0]

-- ==
-- entry: a
-- input { } output { [0f32, 3f32, 6f32] }
entry a = first_row (tr (mk 3))
def total (vs: vec) = f32.sum vs

-- ==
-- entry: b
-- input { } output { 6f32 }
entry b = total (first_row (mk 4)) + total []
type bag [n] = {keys: [n]i32, vals: [n]f64, count: i64}
def mkbag [n] (ks: [n]i32) : bag [n] =
  {keys = ks, vals = map f64.i32 ks, count = n}
def merge [n][m] (a: bag [n]) (b: bag [m]) : bag [n + m] =
  {keys = a.keys ++ b.keys, vals = a.vals ++ b.vals, count = a.count + b.count}

-- ==
-- entry: c
-- input { } output { [1i32, 2i32, 3i32] [1f64, 2f64, 3f64] 3i64 }
entry c = let m = merge (mkbag [1, 2]) (mkbag [3]) in (m.keys, m.vals, m.count)
type~ res = #ok ([]i32) | #err i32
def try (n: i64) : res = if n < 0 then #err 1 else #ok (map i32.i64 (iota n))

-- ==
-- entry: d
-- input { } output { 3i32 }
entry d = match try 3 case #ok xs -> i32.sum xs case #err e -> -e
def apply_n 'a (n: i64) (f: a -> a) (x: a) = loop x for _i < n do f x

-- ==
-- entry: g
-- input { } output { [8i32, 16i32, 24i32] }
entry g = apply_n 3 (\xs -> map (* 2) xs) [1, 2, 3i32]
def growing (n: i64) = loop xs = [1i32] for _i < n do xs ++ xs

-- ==
-- entry: h
-- input { } output { 16i64 }
entry h = length (growing 4)
def state (n: i64) =
  loop (i, xs) = (0, [0i64]) while i < n do (i + 1, xs ++ [i * i])

-- ==
-- entry: i
-- input { } output { [0i64, 0i64, 1i64, 4i64, 9i64] }
entry i = (state 4).1
def let_size (xs: []i32) =
  let [k] (ys: [k]i32) = filter (> 0) xs in replicate k 7i32

-- ==
-- entry: j
-- input { } output { [7i32, 7i32, 7i32] }
entry j = let_size [1, -1, 2, 3]
def let_size2 (n: i64) =
  let [a] [b] (m: [a][b]i32) = replicate n (replicate (n + 1) 0)
  in (a, b, length (flatten m))

-- ==
-- entry: k
-- input { } output { 2i64 3i64 6i64 }
entry k = let_size2 2
