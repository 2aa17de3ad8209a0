-- # A small neural network
--
-- Two interleaved spirals cannot be told apart by a line. A network with two hidden layers learns it,
-- trained by Adam. The parameters are a record of arrays, and so are the gradient and the two moments.
-- ==
-- entry: main
-- input { 300i64 500i64 } output { 1.0 }

import "lib/random"
import "lib/draw"

def width : i64 = 24

type params = {w1: [width][2]f64, b1: [width]f64, w2: [width][width]f64, b2: [width]f64, w3: [width]f64, b3: f64}

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def layer [m] [n] (w: [m][n]f64) (b: [m]f64) (x: [n]f64) : [m]f64 =
  map2 (\row c -> f64.tanh (dot row x + c)) w b

def network (p: params) (x: [2]f64) : f64 =
  dot p.w3 (layer p.w2 p.b2 (layer p.w1 p.b1 x)) + p.b3

def softplus (z: f64) : f64 = f64.max z 0 + f64.log1p (f64.exp (-f64.abs z))

def loss [n] (xs: [n][2]f64) (first: [n]bool) (p: params) : f64 =
  f64.sum (map2 (\x c -> let z = network p x in softplus (if c then -z else z)) xs first) / f64.i64 n

-- A function of several numbers, applied to all parameters at once:

def apply3 (f: f64 -> f64 -> f64 -> f64) (p: params) (q: params) (r: params) : params =
  { w1 = map3 (map3 f) p.w1 q.w1 r.w1
  , b1 = map3 f p.b1 q.b1 r.b1
  , w2 = map3 (map3 f) p.w2 q.w2 r.w2
  , b2 = map3 f p.b2 q.b2 r.b2
  , w3 = map3 f p.w3 q.w3 r.w3
  , b3 = f p.b3 q.b3 r.b3
  }

def start (seed: i64) : params =
  let random k i = normal (10 * seed + k) i
  in { w1 = tabulate_2d width 2 (\i j -> random 1 (2 * i + j))
     , b1 = tabulate width (random 2)
     , w2 = tabulate_2d width width (\i j -> random 3 (width * i + j) / f64.sqrt (f64.i64 width))
     , b2 = replicate width 0
     , w3 = tabulate width (\i -> random 4 i / f64.sqrt (f64.i64 width))
     , b3 = 0
     }

def constant (c: f64) : params =
  { w1 = replicate width (replicate 2 c)
  , b1 = replicate width c
  , w2 = replicate width (replicate width c)
  , b2 = replicate width c
  , w3 = replicate width c
  , b3 = c
  }

-- One step of Adam: running means of the gradient and of its square.

type state = {p: params, m: params, v: params, losses: f64}

def adam (rate: f64) (f: params -> f64) (i: i64) (s: state) : state =
  let (value, g) = vjp2 f s.p 1
  let m = apply3 (\m g _ -> 0.9 * m + 0.1 * g) s.m g g
  let v = apply3 (\v g _ -> 0.99 * v + 0.01 * g * g) s.v g g
  let t = f64.i64 (i + 1)
  let move p m v = p - rate * (m / (1 - 0.9 ** t)) / (f64.sqrt (v / (1 - 0.99 ** t)) + 1e-8)
  in {p = apply3 move s.p m v, m, v, losses = value}

def spirals (n: i64) : ([n][2]f64, [n]bool) =
  let one i =
    let first = i % 2 == 0
    let t = 0.3 + 3 * f64.sqrt (uniform 7 i)
    let phi = 2 * t + (if first then 0 else f64.pi)
    in ([0.28 * t * f64.cos phi + 0.02 * normal 8 i, 0.28 * t * f64.sin phi + 0.02 * normal 9 i], first)
  in unzip (tabulate n one)

def train (n: i64) (steps: i64) : (params, [steps]f64) =
  let (xs, first) = spirals n
  let zero = {p = start 1, m = constant 0, v = constant 0, losses = 0}
  let (s, ls) =
    loop (s, ls) = (zero, replicate steps 0)
    for i < steps do
      let s = adam 0.02 (loss xs first) i s
      in (s, ls with [i] = s.losses)
  in (s.p, ls)

-- The share of points on the right side after 500 steps, with all 300 points in each:

entry main (n: i64) (steps: i64) : f64 =
  let (xs, first) = spirals n
  let (p, _) = train n steps
  in f64.sum (map2 (\x c -> f64.bool ((network p x > 0) == c)) xs first) / f64.i64 n

-- > main 300i64 500i64

-- What the network says about each point of the plane, and the data:

def picture (size: i64) (n: i64) (steps: i64) : [size][size]u32 =
  let (xs, first) = spirals n
  let (p, _) = train n steps
  let background = field size size (-1.1) 1.1 (\x y -> diverging (1 / (1 + f64.exp (-network p [x, y]))))
  in discs background
           (-1.1)
           1.1
           3
           (map (\x -> x[0]) xs)
           (map (\x -> x[1]) xs)
           (map (\c -> if c then rgb 0.5 0 0 else rgb 0 0 0.4) first)

-- > :img picture 360i64 300i64 500i64

-- The loss while it learns:

def losses (n: i64) (steps: i64) : ([steps]f64, [steps]f64) =
  (map f64.i64 (iota steps), (train n steps).1)

-- > :plot2d losses 300i64 500i64
