-- Factorisations and substitutions with slices: what the return sweep reads of an array that is updated
-- in place is there in the end, or not.
import "lib/fd"

-- Reverse mode with differences; the other modes know nothing of what is overwritten.
def agrees [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : bool =
  close_matrix 2e-5 (reverse_mode f x) (differences f x)

def square (n: i64) (x: []f64) : [n][n]f64 =
  tabulate_2d n n (\i j -> x[i * n + j])

-- Symmetric and positive definite.
def definite (n: i64) (x: []f64) : [n][n]f64 =
  let m = square n x
  in tabulate_2d n n (\i j -> f64.sum (map2 (*) m[i] m[j]) + (if i == j then 2 else 0))

def seeds (k: i64) : [k]f64 = map (\i -> f64.sin (1.3 * f64.i64 i + 0.7)) (iota k)

def cholesky (n: i64) (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0)
  for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (\v -> v * v) l[j,:j]))
    let column =
      map (\i ->
             if i < j
             then 0
             else if i == j
             then d
             else (a[i, j] - f64.sum (map2 (*) l[i,:j] l[j,:j])) / d)
          (iota n)
    in l with [:, j] = column

-- L D L^T: D is the diagonal.
def ldl (n: i64) (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0)
  for j < n do
    let scaled = map2 (*) l[j,:j] (map (\k -> l[k, k]) (iota j))
    let d = a[j, j] - f64.sum (map2 (*) l[j,:j] scaled)
    let l[j, j] = d
    let below = map (\i -> (a[i, j] - f64.sum (map2 (*) l[i,:j] scaled)) / d) (j + 1..<n)
    in l with [j + 1:, j] = below

def forward_solve (n: i64) (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0
  for i < n do
    y with [i] = (b[i] - f64.sum (map2 (*) l[i,:i] y[:i])) / (l[i, i] + 3)

def backward_solve (n: i64) (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = copy b
  for q < n do
    let i = n - 1 - q
    in y with [i] = (y[i] - f64.sum (map2 (*) l[i, i + 1:] y[i + 1:])) / (l[i, i] + 3)

-- Several right-hand sides: rows are written.
def many_sides (n: i64) (l: [n][n]f64) (b: [n][n]f64) : [n][n]f64 =
  loop y = replicate n (replicate n 0)
  for i < n do
    y with [i] =
        map (\c -> (b[i, c] - f64.sum (map2 (*) l[i,:i] y[:i, c])) / (l[i, i] + 3)) (iota n)

-- Gram-Schmidt: columns in place.
def gram_schmidt (n: i64) (a: [n][n]f64) : [n][n]f64 =
  loop q = copy a
  for j < n do
    let v =
      loop v = copy q[:, j]
      for k < j do
        let r = f64.sum (map2 (*) q[:, k] v)
        in map2 (\x y -> x - r * y) v q[:, k]
    let norm = f64.sqrt (f64.sum (map (\x -> x * x) v))
    in q with [:, j] = map (/ norm) v

def gauss_jordan (n: i64) (a: [n][n]f64) : [n][n]f64 =
  loop m = copy a
  for k < n do
    let row = map (/ m[k, k]) m[k]
    in map (\i -> if i == k then row else map2 (\x y -> x - m[i, k] * y) m[i] row) (iota n)

-- Levinson-Durbin: a prefix is replaced in each step.
def levinson (n: i64) (r: [n]f64) : [n]f64 =
  (loop (a, e) = (replicate n 0, r[0] + 4)
   for k < n - 1 do
     let g = (r[k + 1] - f64.sum (map2 (*) a[:k] (reverse r[1:k + 1] :> [k]f64))) / e
     let a' = copy a
     let a'[:k] = map2 (\x y -> x - g * y) a[:k] (reverse a[:k])
     in (a' with [k] = g, e * (1 - g * g))).0

-- In place, by rows and by columns.
def lu (n: i64) (a: [n][n]f64) : [n][n]f64 =
  loop m = copy a
  for k < n do
    let m =
      loop m for j in k..<n do
        m with [k, j] = m[k, j] - f64.sum (map2 (*) m[k,:k] m[:k, j])
    in loop m for i in k + 1..<n do
         m with [i, k] = (m[i, k] - f64.sum (map2 (*) m[i,:k] m[:k, k])) / m[k, k]

-- What a map gives is written in place of what it was made of, and wanted besides.
def and_whole (n: i64) (x: [n]f64) : [n]f64 =
  let (y, s) =
    loop (y, s) = (copy x, 0)
    for i < n - 1 do
      let v = map (\k -> f64.exp (0.3 * y[i + 1 + k])) (iota (n - 1 - i))
      let s = s + f64.sum (map (\a -> a * a * y[i]) v)
      in (y with [i + 1:] = v, s)
  in map (* s) y

-- Only one branch writes what was computed of the old value; the other keeps it.
def in_branches (n: i64) (x: [n]f64) : [n]f64 =
  loop y = copy x
  for i < n do
    let scale = 1.5 + f64.sin x[i]
    in y with [i:] =
           map (\k ->
                  if k % 2 == 0
                  then f64.exp (0.1 * y[i + k]) / scale
                  else if y[i + k] < 0 then y[i + k] * scale else f64.sqrt (1 + y[i + k]))
               (iota (n - i))

-- These read what they, or later iterations, overwrite.
def prefix_and_self (n: i64) (x: [n]f64) : [n]f64 =
  loop y = copy x
  for i < n do
    y with [i] = f64.sum (map (\v -> v * v) y[:i + 1])

def next_ones (n: i64) (x: [n]f64) : [n]f64 =
  loop y = copy x
  for i < n - 2 do
    y with [i] = f64.sum (map (\v -> f64.sin v) y[i + 1:i + 3])

def pairs (n: i64) (x: [n]f64) : [n]f64 =
  loop y = copy x
  for i < n - 2 do
    y with [i + 1:i + 3] = map (\v -> v * f64.sum (map (\w -> w * w) y[:i + 2])) y[i + 1:i + 3]

def every_other (n: i64) (x: [n]f64) : [n]f64 =
  loop y = copy x
  for i < n - 1 do
    y with [i + 1] = y[i + 1] * f64.sum (map (\w -> w * w) y[n - 1 - i::2])

def strip (n: i64) (f: (n: i64) -> [n][n]f64 -> [n][n]f64) (x: [n * n]f64) : [n * n]f64 =
  flatten (f n (square n x))

-- ==
-- entry: columns diagonal solves rows orthogonal inverse recursion in_place
-- input { 3i64 } output { true }
-- input { 4i64 } output { true }
entry columns n = agrees (strip n (\n a -> cholesky n (definite n (flatten a)))) (seeds (n * n))
entry diagonal n = agrees (strip n (\n a -> ldl n (definite n (flatten a)))) (seeds (n * n))

entry solves n =
  agrees (\x -> forward_solve n (square n x) (take n x)) (seeds (n * n))
  && agrees (\x -> backward_solve n (square n x) (take n x)) (seeds (n * n))

entry rows n = agrees (strip n (\n a -> many_sides n a (map (map (* 2)) a))) (seeds (n * n))
entry orthogonal n = agrees (strip n (\n a -> gram_schmidt n (definite n (flatten a)))) (seeds (n * n))
entry inverse n = agrees (strip n (\n a -> gauss_jordan n (definite n (flatten a)))) (seeds (n * n))
entry in_place n = agrees (strip n (\n a -> lu n (definite n (flatten a)))) (seeds (n * n))
entry recursion n = agrees (levinson n) (seeds n)

-- ==
-- entry: overwritten later several strided whole branches
-- input { 4i64 } output { true }
-- input { 5i64 } output { true }
entry overwritten n = agrees (prefix_and_self n) (map (* 0.4) (seeds n))
entry later n = agrees (next_ones n) (seeds n)
entry several n = agrees (pairs n) (map (* 0.4) (seeds n))
entry strided n = agrees (every_other n) (map (* 0.4) (seeds n))
entry whole n = agrees (and_whole n) (seeds n)
entry branches n = agrees (in_branches n) (seeds n)
