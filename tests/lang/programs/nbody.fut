-- Gravitation of bodies kept as an array of records.
-- ==
-- input { 4i32 0.1f64 [[-1.423f64, -1.529f64, -0.766f64], [1.265f64, -1.277f64, 0.326f64], [0.556f64, -0.51f64, 0.191f64], [-1.749f64, -1.762f64, -1.176f64], [0.722f64, -0.29f64, -0.743f64]] [[0.342f64, -0.187f64, -0.801f64], [1.178f64, 0.796f64, -1.024f64], [0.298f64, 0.101f64, 1.501f64], [0.918f64, -0.848f64, 1.921f64], [-1.528f64, -0.328f64, 1.029f64]] [1.392f64, 0.044f64, 1.843f64, 0.673f64, 1.058f64] }
-- output { [[-1.3856581694266372f64, -1.7777732704598848f64, -1.0609673111117173f64], [1.5727969986054944f64, -0.831559421733243f64, -0.10436935650884395f64], [0.6522386869095503f64, -0.46579600831887213f64, 0.6710364675994243f64], [-1.0654268239796252f64, -1.676044138226096f64, -0.41624700816223736f64], [0.08720269987450247f64, -0.4746590213664781f64, -0.14882818954504132f64]] }

type vec = {x: f64, y: f64, z: f64}
type body = {pos: vec, vel: vec, mass: f64}

def vec_add (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def vec_sub (a: vec) (b: vec) : vec = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def scale (k: f64) (a: vec) : vec = {x = k * a.x, y = k * a.y, z = k * a.z}
def dot (a: vec) (b: vec) = a.x * b.x + a.y * b.y + a.z * b.z
def zero : vec = {x = 0, y = 0, z = 0}

def accel (p: vec) (b: body) : vec =
  let d = b.pos `vec_sub` p
  let r2 = dot d d + 0.01
  in scale (b.mass / (r2 * f64.sqrt r2)) d

def step [n] (dt: f64) (bs: [n]body) : [n]body =
  let move b =
    let a = reduce vec_add zero (map (accel b.pos) bs)
    let vel = vec_add b.vel (scale dt a)
    in b with vel = vel with pos = vec_add b.pos (scale dt vel)
  in map move bs

def of_row (r: [3]f64) : vec = {x = r[0], y = r[1], z = r[2]}
def to_row (v: vec) = [v.x, v.y, v.z]

entry main [n] (steps: i32) (dt: f64) (ps: [n][3]f64) (vs: [n][3]f64) (ms: [n]f64) =
  let bs = map3 (\p v mass -> {pos = of_row p, vel = of_row v, mass}) ps vs ms
  in map (\b -> to_row b.pos) (iterate steps (step dt) bs)
