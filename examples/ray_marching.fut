-- # Ray marching, with normals by differentiation
--
-- A scene is a function that gives the distance to the nearest surface. A ray steps forward by that distance until
-- it is close. For the light one needs the normal of the surface there, which is the gradient of the distance: one
-- `vjp`, whatever the scene is made of. Most renderers take differences of neighbouring values instead, which
-- takes more evaluations and blurs edges.
-- ==
-- entry: main
-- input { 4i64 6i64 } output { 1001093u32 }

import "lib/draw"

type vec = {x: f64, y: f64, z: f64}

def add (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def scale (k: f64) (a: vec) : vec = {x = k * a.x, y = k * a.y, z = k * a.z}
def dot (a: vec) (b: vec) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def norm (a: vec) : f64 = f64.sqrt (dot a a)
def unit (a: vec) : vec = scale (1 / norm a) a

-- The scene: a torus and a ball that melt into each other, over a wavy floor.

def torus (p: vec) : f64 =
  let q = f64.sqrt (p.x * p.x + p.z * p.z) - 1
  in f64.sqrt (q * q + p.y * p.y) - 0.35

def ball (p: vec) : f64 = norm (add p {x = 0, y = -0.55, z = 0}) - 0.6

def melt (a: f64) (b: f64) : f64 =
  let h = f64.max 0 (0.3 - f64.abs (a - b)) / 0.3
  in f64.min a b - h * h * 0.3 / 4

def floor_height (p: vec) : f64 = p.y + 0.75 + 0.06 * f64.sin (4 * p.x) * f64.sin (4 * p.z)

def scene (p: vec) : f64 = f64.min (melt (torus p) (ball p)) (0.7 * floor_height p)

def normal (p: vec) : vec = unit (vjp scene p 1)

def march (from: vec) (direction: vec) (limit: f64) : f64 =
  let (t, _, _) =
    loop (t, d, i) = (0.02, 1, 0i32)
    while d > 0.001 && t < limit && i < 200 do
      let d = scene (add from (scale t direction))
      in (t + d, d, i + 1)
  in t

def colour_at (from: vec) (direction: vec) : u32 =
  let far = 12
  let t = march from direction far
  in if t >= far
     then rgb (0.55 + 0.3 * direction.y) (0.7 + 0.2 * direction.y) 0.95
     else let p = add from (scale t direction)
          let n = normal p
          let light = unit {x = 0.6, y = 0.8, z = -0.5}
          let shadow = if march (add p (scale 0.02 n)) light 4 < 4 then 0.25 else 1
          let diffuse = shadow * f64.max 0 (dot n light)
          let half = unit (add light (scale (-1) direction))
          let shine = shadow * f64.max 0 (dot n half) ** 40
          let (r, g, b) = if floor_height p < 0.01 then (0.45, 0.5, 0.55) else (0.95, 0.45, 0.2)
          let lit c = f64.sqrt (c * (0.2 + 0.8 * diffuse) + 0.5 * shine)
          in rgb (lit r) (lit g) (lit b)

def picture (h: i64) (w: i64) : [h][w]u32 =
  let from = {x = 1.2, y = 1.6, z = -3.2}
  let ahead = unit (scale (-1) from)
  let right = unit {x = -ahead.z, y = 0, z = ahead.x}
  let up = {x = -(right.z * ahead.y), y = right.z * ahead.x - right.x * ahead.z, z = right.x * ahead.y}
  let pixel i j =
    let u = (f64.i64 j + 0.5 - 0.5 * f64.i64 w) / f64.i64 h
    let v = (0.5 * f64.i64 h - f64.i64 i - 0.5) / f64.i64 h
    in colour_at from (unit (add ahead (add (scale (-u) right) (scale v up))))
  in tabulate_2d h w pixel

-- A checksum, for the test:

entry main (h: i64) (w: i64) : u32 = u32.sum (map (% 0x10000) (flatten (picture h w)))

-- > :img picture 300i64 440i64

-- The normals themselves, as colours:

def normals (h: i64) (w: i64) : [h][w]u32 =
  let from = {x = 1.2, y = 1.6, z = -3.2}
  let ahead = unit (scale (-1) from)
  let right = unit {x = -ahead.z, y = 0, z = ahead.x}
  let up = {x = -(right.z * ahead.y), y = right.z * ahead.x - right.x * ahead.z, z = right.x * ahead.y}
  let pixel i j =
    let u = (f64.i64 j + 0.5 - 0.5 * f64.i64 w) / f64.i64 h
    let v = (0.5 * f64.i64 h - f64.i64 i - 0.5) / f64.i64 h
    let direction = unit (add ahead (add (scale (-u) right) (scale v up)))
    let t = march from direction 12
    let n = normal (add from (scale t direction))
    in if t >= 12 then rgb 0 0 0 else rgb (0.5 + 0.5 * n.x) (0.5 + 0.5 * n.y) (0.5 + 0.5 * n.z)
  in tabulate_2d h w pixel

-- > :img normals 300i64 440i64
