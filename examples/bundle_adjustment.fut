-- # Bundle adjustment
--
-- Several cameras see the same points. Where are the points, and where are the cameras? Both are found
-- together, by minimising the distances between the observed and the predicted positions in the images.
-- Each observation depends on one camera and one point only, so all blocks of the Jacobian come
-- from a `jvp` of one small function, mapped over the observations; here only the gradient is needed,
-- and `vjp` adds the contributions of all observations to the camera and to the point they belong to.
-- ==
-- entry: main
-- input { 5i64 40i64 } output { 0.0000012438 }

import "lib/random"

-- A camera looks at the origin from a distance: turned by `angle` about the vertical axis, shifted, with a focal length.

type camera = {angle: f64, dx: f64, dy: f64, focal: f64}
type point = {x: f64, y: f64, z: f64}

def project (c: camera) (p: point) : (f64, f64) =
  let (s, co) = (f64.sin c.angle, f64.cos c.angle)
  let (x, z) = (co * p.x + s * p.z + c.dx, 5 - s * p.x + co * p.z)
  in (c.focal * x / z, c.focal * (p.y + c.dy) / z)

type observation = {camera: i64, point: i64, u: f64, v: f64}

def loss [m] [n] [k] (os: [k]observation) (cs: [m]camera, ps: [n]point) : f64 =
  let one (o: observation) =
    let (u, v) = project cs[o.camera] ps[o.point]
    in (u - o.u) ** 2 + (v - o.v) ** 2
  in f64.sum (map one os)

def true_camera (m: i64) (i: i64) : camera =
  {angle = 1.5 * (f64.i64 i / f64.i64 m - 0.4), dx = 0.1 * normal 1 i, dy = 0.1 * normal 2 i, focal = 1}

def true_point (i: i64) : point = {x = normal 3 i, y = normal 4 i, z = normal 5 i}

-- Each camera sees three quarters of the points, with a little noise.

def observations (m: i64) (n: i64) : []observation =
  let one i =
    let (c, p) = (i / n, i % n)
    let (u, v) = project (true_camera m c) (true_point p)
    in {camera = c, point = p, u = u + 0.001 * normal 6 i, v = v + 0.001 * normal 7 i}
  in filter (\o -> uniform 8 (o.camera * n + o.point) < 0.75) (tabulate (m * n) one)

def guess (m: i64) (n: i64) : ([m]camera, [n]point) =
  let near s i x = x + 0.1 * normal s i
  let c i = let t = true_camera m i in {angle = near 9 i t.angle, dx = near 10 i t.dx, dy = near 11 i t.dy, focal = 1}
  let p i = let t = true_point i in {x = near 12 i t.x, y = near 13 i t.y, z = near 14 i t.z}
  in (tabulate m c, tabulate n p)

-- Conjugate gradients with Newton's curvature along the direction (a Hessian-vector product), on all parameters at once.
-- The parameters are flattened for it.

def unflat (m: i64) (n: i64) (v: [m * 3 + n * 3]f64) : ([m]camera, [n]point) =
  ( tabulate m (\i -> {angle = v[3 * i], dx = v[3 * i + 1], dy = v[3 * i + 2], focal = 1})
  , tabulate n (\i -> {x = v[3 * (m + i)], y = v[3 * (m + i) + 1], z = v[3 * (m + i) + 2]})
  )

def flat [m] [n] (cs: [m]camera, ps: [n]point) : [m * 3 + n * 3]f64 =
  flatten (map (\c -> [c.angle, c.dx, c.dy]) cs) ++ flatten (map (\p -> [p.x, p.y, p.z]) ps)

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def minimise [n] (f: [n]f64 -> f64) (start: [n]f64) (steps: i64) : ([n]f64, [steps]f64) =
  let g0 = vjp f start 1
  let (x, _, _, fs) =
    loop (x, g, d, fs) = (start, g0, map f64.neg g0, replicate steps 0)
    for i < steps do
      let (g2, h) = jvp2 (\y -> vjp f y 1) x d
      let curvature = f64.max (dot d h) (1e-3 * dot d d)
      let x = map2 (\a b -> a - dot g2 d / curvature * b) x d
      let new = vjp f x 1
      let beta = f64.max 0 (dot new (map2 (-) new g) / dot g g)
      let d = map2 (\a b -> beta * b - a) new d
      in (x, new, (if dot new d < 0 then d else map f64.neg new), fs with [i] = f x)
  in (x, fs)

def solve (m: i64) (n: i64) (steps: i64) : [steps]f64 =
  let os = observations m n
  let f v = loss os (unflat m n v) / f64.i64 (length os)
  in (minimise f (flat (guess m n)) steps).1

-- The mean squared error in the image, at the start and at the end:

entry main (m: i64) (n: i64) : f64 = last (solve m n 200)

def before (m: i64) (n: i64) : f64 =
  let os = observations m n
  in loss os (guess m n) / f64.i64 (length os)

-- > before 5i64 40i64

-- > main 5i64 40i64

def errors (m: i64) (n: i64) (steps: i64) : ([steps]f64, [steps]f64) =
  (map f64.i64 (iota steps), map f64.log10 (solve m n steps))

-- > :gnuplot {errors=errors 5i64 40i64 200i64};
-- set xlabel 'iterations'
-- set ylabel 'log10 of the mean squared error'
-- plot errors with lines lw 2 notitle
