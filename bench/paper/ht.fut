-- Hand tracking: a skeleton bends a mesh, whose vertices (simple) or triangles (complicated) should
-- pass through points.
type vec = [3]f64
type mat = [4][4]f64

def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : *[n][p]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

-- Rotations about the x, y and z axes, one after the other; the angles are in the order x, z, y.
def euler (r: vec) : [3][3]f64 =
  let (sx, cx) = (f64.sin r[0], f64.cos r[0])
  let (sz, cz) = (f64.sin r[1], f64.cos r[1])
  let (sy, cy) = (f64.sin r[2], f64.cos r[2])
  in matmul (matmul [[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]] [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
            [[1, 0, 0], [0, cx, -sx], [0, sx, cx]]

def angle_axis (r: vec) : [3][3]f64 =
  let norm = f64.sqrt (f64.sum (map (\a -> a * a) r))
  in if norm < 0.0001
     then [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
     else let (x, y, z) = (r[0] / norm, r[1] / norm, r[2] / norm)
          let (s, c) = (f64.sin norm, f64.cos norm)
          let k = 1 - c
          in [ [x * x * k + c, x * y * k - z * s, x * z * k + y * s]
             , [x * y * k + z * s, y * y * k + c, y * z * k - x * s]
             , [x * z * k - y * s, z * y * k + x * s, z * z * k + c]
             ]

def homogeneous (r: [3][3]f64) : mat =
  tabulate_2d 4 4 (\i j -> if i < 3 && j < 3 then r[i, j] else f64.bool (i == j))

-- The angles of each bone.  After the wrist come five fingers of four bones each, of which the first
-- does not bend, and the second also sideways.
def bone_angles [b] (theta: [26]f64) : [b]vec =
  tabulate b (\bone ->
                if bone == 0 || bone > 20
                then [0, 0, 0]
                else let finger = (bone - 1) / 4
                     in match (bone - 1) % 4
                        case 0 -> [0, 0, 0]
                        case 1 -> [theta[6 + 4 * finger], theta[7 + 4 * finger], 0]
                        case 2 -> [theta[8 + 4 * finger], 0, 0]
                        case _ -> [theta[9 + 4 * finger], 0, 0])

def absolutes [b] (parents: [b]i32) (relatives: [b]mat) : [b]mat =
  loop out = copy relatives
  for i < b do
    if parents[i] < 0
    then out
    else out with [i] = matmul out[parents[i]] relatives[i]

-- The mesh after bending, turning and moving.
def vertices [b][v] (parents: [b]i32)
                    (base_relatives: [b]mat)
                    (inverse_absolutes: [b]mat)
                    (positions: [v][4]f64)
                    (weights: [v][b]f64)
                    (mirrored: bool)
                    (theta: [26]f64) : [v]vec =
  let relatives = map2 (\base r -> matmul base (homogeneous (euler r))) base_relatives (bone_angles theta)
  let transforms = map2 matmul (absolutes parents relatives) inverse_absolutes
  let turn = angle_axis theta[0:3]
  let vertex p w =
    let bent (k: i64) =
      f64.sum (map2 (\t a -> a * (t[k, 0] * p[0] + t[k, 1] * p[1] + t[k, 2] * p[2] + t[k, 3] * p[3]))
                    transforms w)
    let q = [if mirrored then -(bent 0) else bent 0, bent 1, bent 2]
    in tabulate 3 (\k -> turn[k, 0] * q[0] + turn[k, 1] * q[1] + turn[k, 2] * q[2] + theta[3 + k])
  in map2 vertex positions weights

-- How far points are from the vertices they belong to.
entry primal_simple [b][v][n]
                    (parents: [b]i32) (base_relatives: [b]mat) (inverse_absolutes: [b]mat)
                    (positions: [v][4]f64) (weights: [v][b]f64) (mirrored: bool)
                    (correspondences: [n]i32) (points: [n]vec)
                    (theta: [26]f64) : [n]vec =
  let mesh = vertices parents base_relatives inverse_absolutes positions weights mirrored theta
  in map2 (\c p -> map2 (-) p mesh[c]) correspondences points

-- By each parameter.
entry jacobian_simple [b][v][n]
                      (parents: [b]i32) (base_relatives: [b]mat) (inverse_absolutes: [b]mat)
                      (positions: [v][4]f64) (weights: [v][b]f64) (mirrored: bool)
                      (correspondences: [n]i32) (points: [n]vec)
                      (theta: [26]f64) : [26][n]vec =
  jmp (primal_simple parents base_relatives inverse_absolutes positions weights mirrored
                     correspondences points)
      theta (tabulate_2d 26 26 (\i j -> f64.bool (i == j)))

-- How far points are from where they should be on their triangles.
entry primal [b][v][t][n]
             (parents: [b]i32) (base_relatives: [b]mat) (inverse_absolutes: [b]mat)
             (positions: [v][4]f64) (weights: [v][b]f64) (mirrored: bool) (triangles: [t][3]i32)
             (correspondences: [n]i32) (points: [n]vec)
             (theta: [26]f64) (us: [n][2]f64) : [n]vec =
  let mesh = vertices parents base_relatives inverse_absolutes positions weights mirrored theta
  let error c (p: vec) (u: [2]f64) =
    let at (k: i64) = mesh[triangles[c, k]]
    in tabulate 3 (\k -> p[k] - (u[0] * (at 0)[k] + u[1] * (at 1)[k] + (1 - u[0] - u[1]) * (at 2)[k]))
  in map3 error correspondences points us

-- By two directions for all us at once, and by each parameter.
entry jacobian [b][v][t][n]
               (parents: [b]i32) (base_relatives: [b]mat) (inverse_absolutes: [b]mat)
               (positions: [v][4]f64) (weights: [v][b]f64) (mirrored: bool) (triangles: [t][3]i32)
               (correspondences: [n]i32) (points: [n]vec)
               (theta: [26]f64) (us: [n][2]f64) : [28][n]vec =
  let f (theta, us) =
    primal parents base_relatives inverse_absolutes positions weights mirrored triangles
           correspondences points theta us
  let direction i =
    ( tabulate 26 (\j -> f64.bool (j + 2 == i))
    , replicate n [f64.bool (i == 0), f64.bool (i == 1)]
    )
  in jmp f (theta, us) (tabulate 28 direction)
