-- Functions that call themselves once on each path: with other arguments, parts of arrays, arrays and
-- tuples as results; beside some that call themselves more often, in a loop or a map.
-- ==
-- entry: a b c e z
-- input { } output { true }
import "lib/fd"

def d (x: f64) (n: i64) : f64 =
  if n == 0 then x else f64.sin (d x (n - 1)) + 0.001 * x
def over [n] (xs: [n]f64) (i: i64) : f64 =
  if i == n then 1 else f64.sin (xs[i] * over xs (i + 1)) + 1
def tails [n] (xs: [n]f64) : f64 =
  if n == 0 then 0.5 else f64.sin (xs[0] + tails xs[1:]) * xs[n - 1]
def inits [n] (xs: [n]f64) : f64 =
  if n <= 1 then 0.5 else f64.cos (xs[n - 1] * inits (init xs)) + xs[0]
def both [n] (xs: [n]f64) (c: f64) : f64 =
  if n <= 1
  then c
  else if n % 2 == 0
  then f64.exp (-xs[0] * both xs[1:] (c * xs[0]))
  else let y = both (take (n - 1) xs) (c + xs[n - 1]) in y * y + c
def branches (x: f64) (n: i64) : f64 =
  if n <= 0
  then x
  else if n % 2 == 0
  then branches (x * 0.7) (n / 2) + x
  else let y = branches (x + 0.1) (n - 1) in y * y + x
def state (s: [3]f64) (n: i64) : [3]f64 =
  if n == 0
  then s
  else let t = state (map (* 1.1) s) (n - 1)
       in map2 (\a b -> f64.sin a * b) t (rotate 1 s)
def pair (x: f64) (n: i64) : (f64, f64) =
  if n == 0
  then (x, 1)
  else let (a, b) = pair (x * 0.9) (n - 1) in (a * b, f64.cos a + x)
def rows [n][m] (xs: [n][m]f64) : f64 =
  if n == 0 then 1 else f64.product xs[0] * f64.cos (rows xs[1:])
def matched (x: f64) (n: i64) : f64 =
  match n
  case 0 -> x
  case 1 -> x * x
  case 2 -> f64.sin (matched (x * x) 1)
  case _ -> matched x (n - 2) * x
type t = #leaf f64 | #more f64 i64
def sums (x: t) : f64 =
  match x
  case #leaf v -> v
  case #more v n ->
    f64.sin (sums (if n == 0 then #leaf (v * v) else #more (v * 0.9) (n - 1)))
    * v
def early [n] (xs: [n]f64) (i: i64) (acc: f64) : f64 =
  if i >= n
  then acc
  else if acc > 2
  then acc * xs[i]
  else early xs (i + 1) (acc + xs[i] * xs[i]) * 1.5
def inloop (x: f64) (n: i64) : f64 =
  if n == 0
  then x
  else loop a = inloop (x * 1.01) (n - 1) for _i < 3i64 do f64.sin a + x
def inmap (n: i64) (xs: [3]f64) : f64 =
  if n == 0
  then f64.product xs
  else f64.sum (map (\x -> f64.sin (x * inmap (n - 1) (map (+ 0.1) xs))) xs)
def fibs (n: i64) (x: f64) : f64 =
  if n < 2 then x else f64.sin (fibs (n - 1) x) * fibs (n - 2) (x + 0.1)
def uses (n: i64) (x: f64) : f64 =
  if n == 0 then d x 3 else d (uses (n - 1) x) 2 * over [x, x * x] 0
def collatz (x: f64) (n: i64) : f64 =
  if n == 1
  then x
  else if n % 2 == 0
  then f64.sin (collatz x (n / 2))
  else f64.cos (collatz (x * 0.99) (3 * n + 1)) * x
def big : [6]f64 = [0.7, 1.3, 0.45, 0.9, 1.1, 0.6]

entry a =
  and [ check_scalar (\x -> d x[0] 5) [0.4]
      , check_hessian (\x -> d x[0] 5) [0.4]
      , check_scalar (\x -> over x 0) big
      , check_hessian (\x -> over x 0) big
      , check_scalar tails big
      , check_hessian tails big
      , check_scalar inits big
      , check_hessian inits big
      , check_scalar (\x -> both x x[1]) big
      , check_hessian (\x -> both x x[1]) big
      ]

entry b =
  and [ check_scalar (\x -> branches x[0] 13) big[:1]
      , check_hessian (\x -> branches x[0] 13) big[:1]
      , check (\x -> state x 3) (big[:3])
      , check_hessian (\x -> f64.sum (state x 3)) big[:3]
      , check (\x -> let (p, q) = pair x[0] 4 in [p, q]) big[:1]
      , check_hessian (\x -> let (p, q) = pair x[0] 4 in p * q) big[:1]
      ]

entry c =
  and [ check_scalar (\x -> rows (unflatten (x :> [3 * 2]f64))) big
      , check_hessian (\x -> rows (unflatten (x :> [3 * 2]f64))) big
      , check_scalar (\x -> matched x[0] 7) big[:1]
      , check_scalar (\x -> matched x[0] 6) big[:1]
      , check_hessian (\x -> matched x[0] 6) big[:1]
      , check_scalar (\x -> sums (#more x[0] 3)) big[:1]
      , check_scalar (\x -> early x 0 x[1]) big
      , check_hessian (\x -> early x 0 x[1]) big
      ]

entry e =
  and [ check_scalar (\x -> inloop x[0] 3) big[:1]
      , check_hessian (\x -> inloop x[0] 3) big[:1]
      , check_scalar (\x -> inmap 2 x) big[:3]
      , check_hessian (\x -> inmap 2 x) big[:3]
      , check_scalar (\x -> fibs 5 x[0]) big[:1]
      , check_hessian (\x -> fibs 5 x[0]) big[:1]
      , check_scalar (\x -> uses 3 x[0]) big[:1]
      , check_hessian (\x -> uses 3 x[0]) big[:1]
      , check_scalar (\x -> collatz x[0] 6) big[:1]
      , check_hessian (\x -> collatz x[0] 6) big[:1]
      , check_scalar (\x -> f64.sum (map (\v -> tails [v, v * v, x[0]]) x)) big
      , check_hessian (\x -> f64.sum (map (\v -> over x 3 * d v 2) x)) big
      ]

entry z =
  and [ check_scalar (\x -> d x[0] 0) [0.4]
      , check_scalar (\x -> tails (take 0 x) + x[0]) big
      , check_scalar (\x -> over x 6 * x[1]) big
      ]

-- Deep ones: loops need no stack, and what they keep grows with the depth alone.
-- ==
-- entry: deep
-- compiled input { 300000i64 } output { true }
-- input { 300i64 } output { true }
entry deep (n: i64) =
  let xs = map (\i -> f64.sin (f64.i64 i)) (iota n)
  let g = vjp (\x -> over x 0) xs 1
  in close
       1e-6
       (vjp (\x -> d x n) 0.5 1)
       (jvp (\x -> d x (i64.min n 3000)) 0.5 1)
     && all (\v -> !(f64.isnan v)) g
