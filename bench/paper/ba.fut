-- Bundle adjustment: how far points seen by cameras are from where they should appear, and the
-- sparse Jacobian of that by rows.
type v3 = {x: f64, y: f64, z: f64}

def add (a: v3) (b: v3) : v3 = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def sub (a: v3) (b: v3) : v3 = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def scale (k: f64) (a: v3) : v3 = {x = k * a.x, y = k * a.y, z = k * a.z}
def dot (a: v3) (b: v3) : f64 = a.x * b.x + a.y * b.y + a.z * b.z
def cross (a: v3) (b: v3) : v3 =
  {x = a.y * b.z - a.z * b.y, y = a.z * b.x - a.x * b.z, z = a.x * b.y - a.y * b.x}

def rodrigues (rot: v3) (p: v3) : v3 =
  let square = dot rot rot
  in if square != 0
     then let angle = f64.sqrt square
          let (c, s) = (f64.cos angle, f64.sin angle)
          let w = scale (1 / angle) rot
          in scale c p `add` scale s (cross w p) `add` scale (dot w p * (1 - c)) w
     else add p (cross rot p)

-- A camera: rotation, centre, focal length, principal point, distortion.
def project (cam: [11]f64) (p: [3]f64) : (f64, f64) =
  let at i : v3 = {x = cam[i], y = cam[i + 1], z = cam[i + 2]}
  let q = rodrigues (at 0) ({x = p[0], y = p[1], z = p[2]} `sub` at 3)
  let (x, y) = (q.x / q.z, q.y / q.z)
  let r2 = x * x + y * y
  let l = 1 + cam[9] * r2 + cam[10] * r2 * r2
  in (cam[6] * x * l + cam[7], cam[6] * y * l + cam[8])

def error (feat: [2]f64) (cam: [11]f64, p: [3]f64, w: f64) : (f64, f64) =
  let (x, y) = project cam p
  in (w * (x - feat[0]), w * (y - feat[1]))

def weight_error (w: f64) = 1 - w * w

entry primal [n][m][p]
             (cams: [n][11]f64) (points: [m][3]f64) (weights: [p]f64)
             (obs: [p][2]i32) (feats: [p][2]f64) : ([p][2]f64, [p]f64) =
  let one o w feat =
    let (a, b) = error feat (cams[o[0]], points[o[1]], w)
    in [a, b]
  in (map3 one obs weights feats, map weight_error weights)

-- Two rows for each observation, then a row for each weight.
entry jacobian [n][m][p]
               (cams: [n][11]f64) (points: [m][3]f64) (weights: [p]f64)
               (obs: [p][2]i32) (feats: [p][2]f64) : ([]i32, []i32, []f64) =
  let values o w feat =
    let row seed =
      let (c, x, v) = vjp (error feat) (cams[o[0]], points[o[1]], w) seed
      in c ++ x ++ [v]
    in [row (1, 0), row (0, 1)]
  let columns i (o: [2]i32) =
    let row =
      map (\j -> 11 * o[0] + i32.i64 j) (iota 11)
      ++ map (\j -> i32.i64 (11 * n + j) + 3 * o[1]) (iota 3)
      ++ [i32.i64 (11 * n + 3 * m + i)]
    in [row, row]
  let of_weight i = i32.i64 (11 * n + 3 * m + i)
  let rows =
    tabulate (2 * p) (\i -> i32.i64 (15 * i))
    ++ tabulate (p + 1) (\i -> i32.i64 (30 * p + i))
  in ( rows
     , flatten_3d (map2 columns (iota p) obs) ++ map of_weight (iota p)
     , flatten_3d (map3 values obs weights feats) ++ map (\w -> vjp weight_error w 1) weights
     )
