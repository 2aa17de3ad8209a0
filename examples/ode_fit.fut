-- # Fitting an ordinary differential equation
--
-- Foxes eat rabbits: the equations of Lotka and Volterra have four parameters. They are integrated by a
-- Runge-Kutta method, and the parameters are found from noisy observations by Gauss and Newton's
-- method, with the Jacobian of the whole simulation by forward mode: one pass for each of the four.
-- ==
-- entry: main
-- input { 30i64 20i64 } output { [1.110656, 0.403808, 0.098589, 0.395989] }

import "lib/random"
import "/prelude/derivatives"

type state = (f64, f64)

def field (p: [4]f64) ((rabbits, foxes): state) : state =
  (p[0] * rabbits - p[1] * rabbits * foxes, p[2] * rabbits * foxes - p[3] * foxes)

def runge_kutta (h: f64) (f: state -> state) (s: state) : state =
  let add (c: f64) (d: state) : state = (s.0 + c * d.0, s.1 + c * d.1)
  let k1 = f s
  let k2 = f (add (h / 2) k1)
  let k3 = f (add (h / 2) k2)
  let k4 = f (add h k3)
  in (s.0 + h / 6 * (k1.0 + 2 * k2.0 + 2 * k3.0 + k4.0), s.1 + h / 6 * (k1.1 + 2 * k2.1 + 2 * k3.1 + k4.1))

-- Rabbits and foxes at `n` times, half a year apart, ten steps each:

def simulate (n: i64) (p: [4]f64) : [n * 2]f64 =
  let (_, out) =
    loop (s, out) = ((10, 5), replicate (n * 2) 0)
    for i < n do
      let out[2 * i] = s.0
      let out[2 * i + 1] = s.1
      in (loop s for _j < 10i64 do runge_kutta 0.05 (field p) s, out)
  in out

def truth : [4]f64 = [1.1, 0.4, 0.1, 0.4]

def observed (n: i64) : [n * 2]f64 =
  map2 (\x e -> x * (1 + 0.05 * e)) (simulate n truth) (normals (n * 2) 3)

def solve [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let m = map2 (\row y -> tabulate (n + 1) (\j -> if j < n then row[j] else y)) a b
  let m =
    loop m for k < n do
      let pivot = map (/ m[k, k]) m[k]
      in tabulate n (\i -> if i == k then pivot else map2 (\x p -> x - m[i, k] * p) m[i] pivot)
  in map last m

-- A step of Levenberg and Marquardt: Gauss-Newton with a little damping.

def step [n] (f: [4]f64 -> [n]f64) (p: [4]f64) : [4]f64 =
  let r = f p
  let j = jacobian_forward f p
  let dot [m] (xs: [m]f64) (ys: [m]f64) = f64.sum (map2 (*) xs ys)
  let columns = transpose j
  let normal i k = dot columns[i] columns[k] * (if i == k then 1.01 else 1)
  in map2 (-) p (solve (tabulate_2d 4 4 normal) (map (dot r) columns))

def fit (n: i64) (steps: i64) : [4]f64 =
  let data = observed n
  let residual p = map2 (\x y -> f64.log x - f64.log y) (simulate n p) data
  in loop p = [0.8, 0.5, 0.15, 0.5] for _i < steps do step residual p

-- The parameters found (in truth 1.1, 0.4, 0.1, 0.4):

entry main (n: i64) (steps: i64) : [4]f64 = fit n steps

-- > main 30i64 20i64

def series (n: i64) (values: [n * 2]f64) (which: i64) : ([n]f64, [n]f64) =
  (tabulate n (\i -> 0.5 * f64.i64 i), tabulate n (\i -> values[2 * i + which]))

def data (n: i64) (which: i64) : ([n]f64, [n]f64) = series n (observed n) which
def model (n: i64) (steps: i64) (which: i64) : ([n]f64, [n]f64) = series n (simulate n (fit n steps)) which

-- > :gnuplot {rabbits=data 30i64 0i64, foxes=data 30i64 1i64, guess=model 30i64 0i64 0i64, r=model 30i64 20i64 0i64, f=model 30i64 20i64 1i64};
-- set key inside top right
-- set xlabel 'years'
-- plot rabbits title 'rabbits' pt 7 lc 1, foxes title 'foxes' pt 7 lc 2, guess with lines dt 2 lc 1 title 'first guess', r with lines lc 1 lw 2 title 'fitted', f with lines lc 2 lw 2 notitle
