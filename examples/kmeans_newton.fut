-- # k-means by Newton's method
--
-- The sum of the squared distances of all points to their nearest centres is a function of the centres.
-- Its Hessian is diagonal, so one `jvp` of the gradient along a vector of ones gives all of it,
-- and Newton's method divides element by element. (Each step is the same as one of Lloyd's algorithm, which nobody had to derive.)
-- ==
-- entry: main
-- input { 600i64 10i64 } output { 0.05447865 }

import "lib/random"
import "lib/draw"

def k : i64 = 5

def cost [n] (points: [n][2]f64) (centres: [k][2]f64) : f64 =
  let distance (p: [2]f64) (c: [2]f64) = (p[0] - c[0]) ** 2 + (p[1] - c[1]) ** 2
  in f64.sum (map (\p -> f64.minimum (map (distance p) centres)) points)

def step [n] (points: [n][2]f64) (centres: [k][2]f64) : [k][2]f64 =
  let gradient c = vjp (cost points) c 1
  let (g, h) = jvp2 gradient centres (replicate k [1, 1])
  in map3 (map3 (\c g h -> if h == 0 then c else c - g / h)) centres g h

def cloud (n: i64) : [n][2]f64 =
  let one i =
    let phi = f64.i64 (i % k) * 2 * f64.pi / f64.i64 k
    in [0.7 * f64.cos phi + 0.17 * normal 1 i, 0.7 * f64.sin phi + 0.17 * normal 2 i]
  in tabulate n one

def fit (n: i64) (steps: i64) : [k][2]f64 =
  let points = cloud n
  in loop c = tabulate k (\i -> copy points[7 + i]) for _i < steps do step points c

-- The mean squared distance after ten steps:

entry main (n: i64) (steps: i64) : f64 = cost (cloud n) (fit n steps) / f64.i64 n

-- > main 600i64 10i64

-- Points by their nearest centre, and the centres (black), at the start and after ten steps:

def colour (i: i64) : u32 = ([0xffe41a1c, 0xff377eb8, 0xff4daf4a, 0xff984ea3, 0xffff7f00] : []u32)[i]

def picture (size: i64) (n: i64) (steps: i64) : [size][size]u32 =
  let points = cloud n
  let centres = fit n steps
  let d (p: [2]f64) (c: [2]f64) = (p[0] - c[0]) ** 2 + (p[1] - c[1]) ** 2
  let nearest p =
    let ds = map (d p) centres
    in reduce (\i j -> if ds[j] < ds[i] then j else i) 0 (iota k)
  let x (p: [2]f64) = p[0]
  let y (p: [2]f64) = p[1]
  let white = replicate size (replicate size (rgb 1 1 1))
  let dots = discs white (-1.4) 1.4 3 (map x points) (map y points) (map (\p -> colour (nearest p)) points)
  in discs dots (-1.4) 1.4 7 (map x centres) (map y centres) (replicate k (rgb 0 0 0))

-- > :img picture 300i64 600i64 0i64

-- > :img picture 300i64 600i64 10i64
