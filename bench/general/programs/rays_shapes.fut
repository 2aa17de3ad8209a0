-- A picture of spheres and planes by casting rays: a shape is a value of a sum type, the nearest hit
-- wins, brightness falls off with distance and angle; derivatives by where shapes are and how large.
type vec = {x: f64, y: f64, z: f64}
type shape = #sphere {at: vec, radius: f64} | #plane {height: f64}
type hit = {t: f64, shade: f64}

def dot (a: vec) (b: vec) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def axpy (s: f64) (a: vec) (b: vec) : vec = {x = s * a.x + b.x, y = s * a.y + b.y, z = s * a.z + b.z}
def light : vec = {x = 0.48, y = 0.8, z = -0.36}
def miss : hit = {t = 1e9, shade = 0.1}

def intersect (d: vec) (s: shape) : hit =
  match s
  case #sphere {at, radius} ->
    let b = dot d at
    let disc = b * b - dot at at + radius * radius
    in if disc <= 0
       then miss
       else let t = b - f64.sqrt disc
            let n = axpy (-1) at (axpy t d {x = 0, y = 0, z = 0})
            in if t < 0.1 then miss else {t, shade = 0.2 + f64.max 0 (dot n light) / radius}
  case #plane {height} ->
    let t = height / d.y
    in if t < 0.1 then miss else {t, shade = 0.3 + 0.5 / (1 + 0.1 * t)}

def nearer (a: hit) (b: hit) : hit = if b.t < a.t then b else a

entry primal [h][w][k] (goal: [h][w]f64) (spheres: [k][4]f64) (height: f64) : f64 =
  let shapes: []shape =
    map (\s -> #sphere {at = {x = s[0], y = s[1], z = s[2]}, radius = s[3]}) spheres ++ [#plane {height}]
  let colour i j =
    let u = (f64.i64 j + 0.5) / f64.i64 w - 0.5
    let v = 0.5 - (f64.i64 i + 0.5) / f64.i64 h
    let n = f64.sqrt (u * u + v * v + 1)
    let d: vec = {x = u / n, y = v / n, z = 1 / n}
    let best = reduce nearer miss (map (intersect d) shapes)
    in best.shade / (1 + 0.02 * f64.min best.t 100)
  in f64.sum (flatten (tabulate_2d h w (\i j -> (colour i j - goal[i, j]) ** 2))) / f64.i64 (h * w)

entry gradient [h][w][k] (goal: [h][w]f64) (spheres: [k][4]f64) (height: f64) : [k][4]f64 =
  vjp (\s -> primal goal s height) spheres 1
