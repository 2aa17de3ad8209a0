-- # Linear regression
--
-- A straight line through noisy points, found by gradient descent. The model is one line, the loss
-- another; `vjp` makes the gradient of the loss, and the gradient of a record is a record.
-- ==
-- entry: main
-- input { 40i64 200i64 } output { 1.826058 1.027964 }

import "lib/random"

type line = {slope: f64, offset: f64}

def predict (l: line) (x: f64) : f64 = l.slope * x + l.offset

def loss [n] (xs: [n]f64) (ys: [n]f64) (l: line) : f64 =
  f64.sum (map2 (\x y -> (predict l x - y) ** 2) xs ys) / f64.i64 n

def step [n] (xs: [n]f64) (ys: [n]f64) (rate: f64) (l: line) : line =
  let g = vjp (loss xs ys) l 1
  in {slope = l.slope - rate * g.slope, offset = l.offset - rate * g.offset}

-- The data: `y = 2 x + 1` with noise, for `x` between -1 and 1.

def points (n: i64) : ([n]f64, [n]f64) =
  let xs = tabulate n (\i -> 2 * uniform 1 i - 1)
  in (xs, map2 (\x e -> 2 * x + 1 + 0.3 * e) xs (normals n 2))

def fit (n: i64) (steps: i64) : line =
  let (xs, ys) = points n
  in loop l = {slope = 0, offset = 0} for _i < steps do step xs ys 0.3 l

entry main (n: i64) (steps: i64) : (f64, f64) =
  let l = fit n steps
  in (l.slope, l.offset)

-- Slope and offset after 200 steps:

-- > main 40i64 200i64

-- The points, the first guess, and the line after 3, 10 and 200 steps:

def drawn (n: i64) (steps: i64) : ([2]f64, [2]f64) =
  ([-1, 1], map (predict (fit n steps)) [-1, 1])

-- > :gnuplot {points=points 40i64, start=drawn 40i64 0i64, three=drawn 40i64 3i64, ten=drawn 40i64 10i64, best=drawn 40i64 200i64};
-- set key inside top left
-- plot points title 'data' pt 7 lc rgb '#444444', start with lines title 'start', three with lines title '3 steps', ten with lines title '10 steps', best with lines lw 3 title '200 steps'

-- How the loss falls:

def losses (n: i64) (steps: i64) : ([steps]f64, [steps]f64) =
  let (xs, ys) = points n
  let (_, ls) =
    loop (l, ls) = ({slope = 0, offset = 0}, replicate steps 0)
    for i < steps do
      (step xs ys 0.3 l, ls with [i] = loss xs ys l)
  in (map f64.i64 (iota steps), ls)

-- > :plot2d losses 40i64 40i64
