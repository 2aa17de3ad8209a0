-- # Bodies under gravity
--
-- Only the potential energy is written down; the forces are minus its gradient. So nothing can be wrong
-- with their signs, and energy is conserved as well as the integrator (leapfrog) conserves it.
-- ==
-- entry: main
-- input { 2000i64 0.002 } output { -7.767358e-7 }

import "lib/draw"

type bodies = {position: [3][2]f64, velocity: [3][2]f64}

def potential (p: [3][2]f64) : f64 =
  let pair i j =
    if i >= j
    then 0
    else -1 / f64.sqrt ((p[i, 0] - p[j, 0]) ** 2 + (p[i, 1] - p[j, 1]) ** 2)
  in f64.sum (flatten (tabulate_2d 3 3 pair))

def kinetic (v: [3][2]f64) : f64 = 0.5 * f64.sum (map (** 2) (flatten v))

def force (p: [3][2]f64) : [3][2]f64 = vjp potential p (-1)

def move (t: f64) (xs: [3][2]f64) (ds: [3][2]f64) : [3][2]f64 = map2 (map2 (\x d -> x + t * d)) xs ds

def leapfrog (h: f64) (b: bodies) : bodies =
  let half = move (h / 2) b.velocity (force b.position)
  let position = move h b.position half
  in {position, velocity = move (h / 2) half (force position)}

-- Three equal bodies that chase each other along a figure eight (found by Moore, Chenciner and Montgomery):

def start : bodies =
  { position = [[0.97000436, -0.24308753], [-0.97000436, 0.24308753], [0, 0]]
  , velocity = [[0.466203685, 0.43236573], [0.466203685, 0.43236573], [-0.93240737, -0.86473146]]
  }

def energy (b: bodies) : f64 = kinetic b.velocity + potential b.position

-- How much the energy changes in `steps` steps, about two thirds of a round:

entry main (steps: i64) (h: f64) : f64 =
  let initial = {position = copy start.position, velocity = copy start.velocity}
  in energy (loop b = initial for _i < steps do leapfrog h b) - energy start

-- > main 2000i64 0.002

def paths (steps: i64) (h: f64) : ([3][steps]f64, [3][steps]f64) =
  let initial = {position = copy start.position, velocity = copy start.velocity}
  let (_, xs, ys) =
    loop (b, xs, ys) = (initial, replicate steps (replicate 3 0), replicate steps (replicate 3 0))
    for i < steps do
      let xs[i] = map (\p -> p[0]) b.position
      let ys[i] = map (\p -> p[1]) b.position
      in (leapfrog h b, xs, ys)
  in (transpose xs, transpose ys)

def path (body: i64) (steps: i64) (h: f64) : ([steps]f64, [steps]f64) =
  let (xs, ys) = paths steps h
  in (copy xs[body], copy ys[body])

-- > :gnuplot {first=path 0i64 900i64 0.002, second=path 1i64 900i64 0.002, third=path 2i64 900i64 0.002};
-- set size ratio -1
-- plot first with lines lw 2 title 'first', second with lines lw 2 title 'second', third with lines lw 2 title 'third'
