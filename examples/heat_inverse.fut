-- # An inverse problem for the heat equation
--
-- A rod is heated somewhere; a while later its temperature is measured. What was it at the start? The
-- simulation is a loop of stencils, and the gradient of the misfit by the initial temperatures is one
-- `vjp` through all of its steps. Gradient descent with momentum recovers the shape; diffusion has
-- destroyed the finer details, so a little smoothing is added instead.
-- ==
-- entry: main
-- input { 64i64 100i64 400i64 } output { 0.025406 }

import "lib/random"

-- One explicit step; the ends are kept at zero.

def step [n] (u: [n]f64) : [n]f64 =
  let at i = if i < 0 || i >= n then 0 else u[i]
  in tabulate n (\i -> u[i] + 0.25 * (at (i - 1) - 2 * u[i] + at (i + 1)))

def simulate [n] (steps: i64) (u: [n]f64) : [n]f64 = loop u for _i < steps do step u

def truth (n: i64) : [n]f64 =
  tabulate n (\i ->
                let x = f64.i64 i / f64.i64 n
                in if x > 0.2 && x < 0.4 then 1 else if x > 0.6 && x < 0.85 then (x - 0.6) * 3 else 0)

def measured (n: i64) (steps: i64) : [n]f64 =
  map2 (\u e -> u + 0.005 * e) (simulate steps (truth n)) (normals n 5)

def loss [n] (steps: i64) (data: [n]f64) (u: [n]f64) : f64 =
  let misfit = f64.sum (map2 (\a b -> (a - b) ** 2) (simulate steps u) data)
  let rough = f64.sum (map2 (\a b -> (a - b) ** 2) u (rotate 1 u))
  in misfit + 0.002 * rough

def recover (n: i64) (steps: i64) (iterations: i64) : [n]f64 =
  let data = measured n steps
  let (u, _) =
    loop (u, velocity) = (replicate n 0, replicate n 0)
    for _i < iterations do
      let g = vjp (loss steps data) u 1
      let velocity = map2 (\v d -> 0.95 * v - 0.4 * d) velocity g
      in (map2 (+) u velocity, velocity)
  in u

-- The mean squared error of the recovered temperatures:

entry main (n: i64) (steps: i64) (iterations: i64) : f64 =
  f64.sum (map2 (\a b -> (a - b) ** 2) (recover n steps iterations) (truth n)) / f64.i64 n

-- > main 64i64 100i64 400i64

def places (n: i64) (u: [n]f64) : ([n]f64, [n]f64) = (map f64.i64 (iota n), u)
def shown_truth (n: i64) : ([n]f64, [n]f64) = places n (truth n)
def shown_data (n: i64) (steps: i64) : ([n]f64, [n]f64) = places n (measured n steps)
def shown_result (n: i64) (steps: i64) (k: i64) : ([n]f64, [n]f64) = places n (recover n steps k)

-- > :gnuplot {truth=shown_truth 64i64, data=shown_data 64i64 100i64, result=shown_result 64i64 100i64 400i64};
-- set key inside top right
-- plot truth with lines lw 2 lc rgb '#999999' title 'at the start', data title 'measured' pt 7 ps 0.7, result with lines lw 3 title 'recovered'
