-- # Logistic regression
--
-- Which of two groups does a point belong to? The model gives the probability of the second group,
-- the loss is the cross entropy, and Newton's method needs its gradient and its Hessian: both come
-- from the loss alone, `grad` by reverse mode and `hessian` by forward over reverse mode.
-- ==
-- entry: main
-- input { 400i64 8i64 } output { 0.935 }

import "lib/random"
import "lib/draw"
import "/prelude/derivatives"

def features (x: f64) (y: f64) : [6]f64 = [1, x, y, x * x, x * y, y * y]

def score (w: [6]f64) (x: f64) (y: f64) : f64 = f64.sum (map2 (*) w (features x y))

-- `log (1 + exp z)`, without overflow. Each branch is smooth, so both derivatives are right everywhere; written with
-- `max` and `abs`, the second derivative at 0 would be that of a kink, and Newton's method would start with it.

def softplus (z: f64) : f64 = if z > 0 then z + f64.log1p (f64.exp (-z)) else f64.log1p (f64.exp z)

def loss [n] (xs: [n]f64) (ys: [n]f64) (group: [n]bool) (w: [6]f64) : f64 =
  let one x y g = let z = score w x y in softplus z - (if g then z else 0)
  in f64.sum (map3 one xs ys group) / f64.i64 n + 0.001 * f64.sum (map (** 2) w)

-- Two clouds of points, one around the other.

def cloud (n: i64) : ([n]f64, [n]f64, [n]bool) =
  let one i =
    let inside = i % 2 == 0
    let (r, phi) = (if inside then 0.5 * f64.abs (normal 1 i) else 1.4 + 0.3 * normal 2 i, 2 * f64.pi * uniform 3 i)
    in (r * f64.cos phi + 0.2, 0.8 * r * f64.sin phi, inside)
  in unzip3 (tabulate n one)

-- A linear system of six equations, by elimination; the Hessian is positive definite, so no pivoting.

def solve [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let m = map2 (\row y -> tabulate (n + 1) (\j -> if j < n then row[j] else y)) a b
  let m =
    loop m for k < n do
      let pivot = map (/ m[k, k]) m[k]
      in tabulate n (\i -> if i == k then pivot else map2 (\x p -> x - m[i, k] * p) m[i] pivot)
  in map last m

def fit (n: i64) (steps: i64) : [6]f64 =
  let (xs, ys, group) = cloud n
  let f = loss xs ys group
  in loop w = replicate 6 0 for _i < steps do map2 (-) w (solve (hessian f w) (grad f w))

-- The share of the points that the model puts into the right group, after eight steps:

entry main (n: i64) (steps: i64) : f64 =
  let (xs, ys, group) = cloud n
  let w = fit n steps
  let right = map3 (\x y g -> (score w x y > 0) == g) xs ys group
  in f64.sum (map f64.bool right) / f64.i64 n

-- > main 400i64 8i64

-- The probability over the plane (blue: the outer group), and the points:

def picture (size: i64) (n: i64) (steps: i64) : [size][size]u32 =
  let (xs, ys, group) = cloud n
  let w = fit n steps
  let background = field size size (-2.2) 2.2 (\x y -> diverging (1 / (1 + f64.exp (-score w x y))))
  in discs background (-2.2) 2.2 3 xs ys (map (\g -> if g then rgb 0.5 0 0 else rgb 0 0 0.4) group)

-- > :img picture 360i64 400i64 8i64

-- Newton's method is quadratic: the largest element of the gradient before each step.

def gradients (n: i64) (steps: i64) : ([steps]f64, [steps]f64) =
  let (xs, ys, group) = cloud n
  let size k = grad (loss xs ys group) (fit n k) |> map f64.abs |> f64.maximum
  in (map f64.i64 (iota steps), map (\k -> f64.log10 (size k)) (iota steps))

-- > :gnuplot {sizes=gradients 400i64 8i64};
-- set xlabel 'step'
-- set ylabel 'log10 |gradient|'
-- plot sizes with linespoints pt 7 notitle
