-- # A mixture of Gaussians
--
-- Three overlapping clouds of points, and a density that explains them: a weighted sum of three
-- Gaussians, fitted by maximising the likelihood. Weights are a softmax and widths are exponentials,
-- so that any parameters are valid; automatic differentiation takes care of the rest.
-- ==
-- entry: main
-- input { 300i64 400i64 } output { -1.238133 }

import "lib/random"
import "lib/draw"

type mixture = {weights: [3]f64, x: [3]f64, y: [3]f64, logsizes: [3]f64}

def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def logdensity (g: mixture) (x: f64) (y: f64) : f64 =
  let one w cx cy s = w - 2 * s - ((x - cx) ** 2 + (y - cy) ** 2) / (2 * f64.exp (2 * s)) - f64.log (2 * f64.pi)
  in logsumexp (map4 one g.weights g.x g.y g.logsizes) - logsumexp g.weights

def loglikelihood [n] (xs: [n]f64) (ys: [n]f64) (g: mixture) : f64 =
  f64.sum (map2 (logdensity g) xs ys) / f64.i64 n

def cloud (n: i64) : ([n]f64, [n]f64) =
  let one i =
    let (cx, cy, s) = if i % 6 < 3 then (-0.9, -0.4, 0.25) else if i % 6 < 5 then (0.6, -0.6, 0.35) else (0.3, 0.9, 0.2)
    in (cx + s * normal 1 i, cy + s * normal 2 i)
  in unzip (tabulate n one)

def step (rate: f64) (g: mixture) (d: mixture) : mixture =
  let move [m] (p: [m]f64) (q: [m]f64) = map2 (\a b -> a + rate * b) p q
  in {weights = move g.weights d.weights, x = move g.x d.x, y = move g.y d.y, logsizes = move g.logsizes d.logsizes}

def fit (n: i64) (steps: i64) : mixture =
  let (xs, ys) = cloud n
  let start = {weights = replicate 3 0, x = [-0.5, 0.5, 0.0], y = [0, 0, 0.5], logsizes = replicate 3 0}
  in loop g = start for _i < steps do step 0.2 g (vjp (loglikelihood xs ys) g 1)

-- The likelihood (its logarithm, per point), and where the centres are:

entry main (n: i64) (steps: i64) : f64 =
  let (xs, ys) = cloud n
  in loglikelihood xs ys (fit n steps)

def centres (n: i64) (steps: i64) : [3][2]f64 =
  let g = fit n steps
  in map2 (\x y -> [x, y]) g.x g.y

-- > main 300i64 400i64

-- > centres 300i64 400i64

-- The density and the points, before and after:

def picture (size: i64) (n: i64) (steps: i64) : [size][size]u32 =
  let (xs, ys) = cloud n
  let g = fit n steps
  let background = field size size (-2) 2 (\x y -> heat (0.2 + 0.8 * f64.exp (logdensity g x y)))
  in discs background (-2) 2 2 xs ys (replicate n (rgb 0.2 0.6 1))

-- > :img picture 300i64 300i64 0i64

-- > :img picture 300i64 300i64 400i64
