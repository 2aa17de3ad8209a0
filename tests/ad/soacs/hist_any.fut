-- Histograms with any operator: one, two and three dimensions, pairs, rows, free variables, dest with
-- adjoints of its own, places out of range, bins without elements.
import "../fd/lib/fd"

def five : [5]f64 = [0.7, -1.3, 2.1, 0.4, -0.6]
def nine : [9]f64 = [0.7, -1.3, 2.1, 0.4, -0.6, 1.1, 0.9, -0.2, 0.5]

-- The same by a loop.
def by_loop [m][n] 'a (dest: [m]a) (op: a -> a -> a) (is: [n]i64) (xs: [n]a) : [m]a =
  loop d = copy dest for i < n do
    if 0 <= is[i] && is[i] < m then d with [is[i]] = copy (op d[is[i]] xs[i]) else d

def is n = map (\i -> (3 * i) % 5 - 1) (iota n)

def into [n] (op: f64 -> f64 -> f64) (ne: f64) (x: [n]f64) : [6]f64 =
  reduce_by_index (map (\i -> x[(2 * i) % n] + f64.i64 i) (iota 6)) op ne (is n) (map f64.sin x)

def same_as_loop [n] (op: f64 -> f64 -> f64) (ne: f64) (x: [n]f64) : bool =
  let dest (y: [n]f64) : *[6]f64 = map (\i -> y[(2 * i) % n] + f64.i64 i) (iota 6)
  let f y = reduce_by_index (dest y) op ne (is n) (map f64.sin y)
  let g y = by_loop (dest y) op (is n) (map f64.sin y)
  in close_matrix 1e-12 (reverse_mode f x) (reverse_mode g x) && check f x

def two_d [n] (x: [n]f64) : [6]f64 =
  reduce_by_index_2d (unflatten (map (\i -> 1 + 0.1 * x[i % n]) (iota (2 * 3)))) (*) 1
    (map (\i -> (i % 3, i % 4)) (iota n)) x |> flatten :> [6]f64

def three_d [n] (x: [n]f64) : [8]f64 =
  reduce_by_index_3d (replicate 2 (replicate 2 (replicate 2 0))) (\a b -> a + b + 0.5 * a * b) 0
    (map (\i -> (i % 2, i % 3, (i / 2) % 2)) (iota n)) x |> flatten_3d :> [8]f64

def rows [n] (op: f64 -> f64 -> f64) (ne: f64) (x: [n]f64) : [6]f64 =
  reduce_by_index (unflatten (map (\i -> 0.5 + x[i % n]) (iota (3 * 2)))) (map2 op) (replicate 2 ne)
    (map (\i -> i % 4 - 1) (iota n)) (map (\v -> [v, v * v]) x) |> flatten :> [6]f64

-- A product of matrices does not commute: elements come in their order.
def mul (a: [2][2]f64) (b: [2][2]f64) : [2][2]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def matrices [n] (x: [n]f64) : [8]f64 =
  by_loop (replicate 2 [[1, 0], [0, 1]]) mul (map (% 2) (iota n)) (map (\v -> [[v, 1], [0.5, v * v]]) x)
  |> flatten_3d :> [8]f64
def matrices_hist [n] (x: [n]f64) : [8]f64 =
  reduce_by_index (replicate 2 [[1, 0], [0, 1]]) mul [[1, 0], [0, 1]] (map (% 2) (iota n))
    (map (\v -> [[v, 1], [0.5, v * v]]) x) |> flatten_3d :> [8]f64

def complex [n] (x: [n]f64) : [6]f64 =
  hist (\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (1, 0) 3 (map (\i -> i % 4) (iota n))
    (map (\v -> (v, v + 1)) x) |> map (\(a, b) -> [a, b]) |> flatten :> [6]f64

def argmax [n] (x: [n]f64) : [3]f64 =
  hist (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-1e9, -1) 3
    (map (% 3) (iota n)) (zip x (iota n)) |> map (\(a, i) -> a * f64.i64 (i + 1))

def apart [n] (x: [n]f64) : [9]f64 =
  hist (\(a, b, c) (d, e, f) -> (a + d, f64.max b e, c * f)) (0, f64.lowest, 1) 3 (map (% 3) (iota n))
    (zip3 x (map f64.sin x) (map f64.cos x)) |> map (\(a, b, c) -> [a, b, c]) |> flatten :> [9]f64

def free [n] (x: [n]f64) : [3]f64 =
  hist (\a b -> a + b + x[0] * a * b + x[1] * x[2] * a * b) 0 3 (map (\i -> i % 4) (iota n)) x

def chosen [n] (x: [n]f64) : [3]f64 =
  hist (\a b -> if f64.abs a < f64.abs b then b else a) 0 3 (map (% 3) (iota n)) x

def logsumexp [n] (x: [n]f64) : [3]f64 =
  hist (\a b -> f64.log (f64.exp a + f64.exp b)) (-f64.inf) 3 (map (% 3) (iota n)) x

def in_loop [n] (x: [n]f64) : [7]f64 =
  loop h = replicate 7 1 for i < 3 do
    reduce_by_index h (*) 1 [i, i + 1, i + 5] (map (\j -> x[(i + j) % n] * h[j]) (iota 3))

def extremes_in_loop [n] (x: [n]f64) : [7]f64 =
  loop h = replicate 7 0.1 for i < 3 do
    reduce_by_index h f64.max f64.lowest [i, i + 1, i + 5] (map (\j -> x[(i + j) % n] * h[j]) (iota 3))

def in_map [n] (x: [n]f64) : [n]f64 =
  map (\a -> f64.sum (hist (*) 1 3 (map (% 3) (iota n)) (map (+ a) x))) x

def all_in_one [n] (x: [n]f64) : [1]f64 =
  hist (\a b -> a * b + 0.1 * (a - 1) * (b - 1)) 1 1 (replicate n 0) x

entry one =
  [same_as_loop (*) 1 five, same_as_loop (\a b -> a + b + a * b) 0 nine,
   same_as_loop (\a b -> (a + b) / (1 + a * b)) 0 (map (* 0.1) nine), same_as_loop f64.min f64.inf nine,
   same_as_loop f64.max f64.lowest nine, same_as_loop (\a b -> f64.hypot a b) 0 nine]
entry products =
  [check (into (*) 1) five, check (into (*) 1) (map (* 0) five), check two_d five, check two_d nine,
   check three_d nine, check (rows (*) 1) five, check (rows f64.min f64.inf) five,
   check (rows (\a b -> a + b + a * b) 0) five]
entry several =
  [check matrices_hist five, close_matrix 1e-12 (reverse_mode matrices_hist nine) (reverse_mode matrices nine),
   check complex nine, check argmax nine, check apart nine, check free nine, check chosen nine,
   check logsumexp nine]
entry places =
  [check in_loop five, check extremes_in_loop five, check in_map five, check all_in_one five]
entry second =
  [check_hessian (\x -> f64.sum (two_d x)) five, check_hessian (\x -> f64.sum (complex x)) five,
   check_hessian (\x -> f64.sum (free x)) five, check_hessian (\x -> f64.sum (into (*) 1 x)) [1, 0, 2, 0, 3],
   check_hessian (\x -> f64.sum (rows (*) 1 x)) five, check_hessian (\x -> f64.sum (in_loop x)) five]
entry small =
  [check (into (*) 1) [0.3], length (vjp (\(x: []f64) -> hist (*) 1 3 (is 0) x) [] [1, 1, 1]) == 0,
   length (vjp (\(x: [3]f64) -> hist (*) 1 0 [0, 1, 2] x) [1, 2, 3] []) == 3,
   all (== 0) (vjp (\(x: [3]f64) -> reduce_by_index (replicate 2 1) (*) 1 [5, -1, 9] x) [1, 2, 3] [1, 1])]

-- ==
-- entry: one
-- input { } output { [true, true, true, true, true, true] }

-- ==
-- entry: products
-- input { } output { [true, true, true, true, true, true, true, true] }

-- ==
-- entry: several
-- input { } output { [true, true, true, true, true, true, true, true] }

-- ==
-- entry: places
-- input { } output { [true, true, true, true] }

-- ==
-- entry: second
-- input { } output { [true, true, true, true, true, true] }

-- ==
-- entry: small
-- input { } output { [true, true, true, true] }
