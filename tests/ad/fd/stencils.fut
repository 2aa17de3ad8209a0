-- Stencils of one and two dimensions, with all kinds of edges: sums of neighbours in reverse mode, also where
-- there are fewer elements than neighbours.
-- ==
-- input { 3i64 4i64 [0.3, -0.7, 1.1, 0.45, 0.9, -0.2, 0.8, 0.15, -0.35, 0.6, -1.2, 0.05] } output { true }
-- input { 4i64 3i64 [0.3, -0.7, 1.1, 0.45, 0.9, -0.2, 0.8, 0.15, -0.35, 0.6, -1.2, 0.05] } output { true }
-- input { 2i64 2i64 [0.3, -0.7, 1.1, 0.45] } output { true }
-- input { 1i64 3i64 [0.3, -0.7, 1.1] } output { true }
-- input { 3i64 1i64 [0.3, -0.7, 1.1] } output { true }
-- input { 1i64 1i64 [0.3] } output { true }
-- input { 5i64 5i64 [0.3, -0.7, 1.1, 0.45, 0.9, -0.2, 0.8, 0.15, -0.35, 0.6, -1.2, 0.05, 0.7, 0.25, -0.1,
--                    0.32, -0.71, 1.12, 0.47, 0.92, -0.22, 0.82, 0.17, -0.37, 0.62] } output { true }
-- input { 0i64 2i64 empty([0]f64) } output { true }
import "lib/fd"

def clamp (n: i64) (i: i64) = i64.max 0 (i64.min (n - 1) i)

def w (i: i64) (j: i64) : f64 = f64.sin (f64.i64 (3 * i + 5 * j)) + 0.2

def convolved [n][m] (x: [n][m]f64) : [][]f64 =
  tabulate_2d (i64.max 0 (n - 2)) (i64.max 0 (m - 2)) (\i j ->
    f64.sum (map (\a -> f64.sum (map (\b -> w a b * x[i + a, j + b] * x[i + a, j + b]) (iota 3))) (iota 3)))

def clamped [n][m] (x: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> x[i, j] * x[clamp n (i - 1), j] + x[clamp n (i + 1), j]
                           + x[i, clamp m (j - 2)] * x[i, j] + w i j * x[i, clamp m (j + 2)])

def corners [n][m] (x: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> x[clamp n (i - 1), clamp m (j - 1)] * w i j + x[clamp n (i + 2), clamp m (j + 1)]
                           + x[clamp n (i + 1), clamp m (j - 1)])

def zeros [n][m] (x: [n][m]f64) : [n][m]f64 =
  let at i j = if i >= 0 && i < n && j >= 0 && j < m then x[i, j] else 0
  in tabulate_2d n m (\i j -> x[i, j] * at (i - 1) j + at (i + 1) j + w i j * at i (j - 1) + at i (j + 1))

def inner [n][m] (x: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
    if i > 0 && i < n - 1 && j > 0 && j < m - 1
    then x[i, j] + 0.1 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] * w i j + x[i, j + 1] - 4 * x[i, j])
    else x[i, j] * x[i, j])

def branches [n][m] (x: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j ->
    if i == 0 then x[i, j] else if w i j > 0 then x[i - 1, j] * x[i, j] else f64.exp x[i - 1, j])

def periodic [n][m] (x: [n][m]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> x[i, j] * x[(i + 1) % n, j] + x[(i - 1) % n, j] * w i j
                           + x[i, (j + m - 1) % m] + x[i, (j + 2) % m] * x[(i + 3) % n, (j + 1) % m])

def steps [n][m] (x: [n][m]f64) : [n][m]f64 = loop x for _i < 3 do inner x

-- One dimension: rows more than elements, and less.
def edges [k] (x: [k]f64) : [k]f64 =
  let y = tabulate (k + 1) (\i -> if i < k then x[i] * x[i] else 1)
  let z = tabulate k (\i -> y[i] * y[i + 1])
  in tabulate k (\i -> z[clamp k (i - 3)] * z[clamp k (i + 3)] + z[(i + k - 1) % k] * z[(i + 1) % k])

def wide [k] (x: [k]f64) : [k]f64 =
  tabulate k (\i -> if i >= 4 && i < k - 4 then x[i - 4] * x[i + 4] else if i > 0 then x[i - 1] else x[i])

def flat [n][m] (f: [n][m]f64 -> [][]f64) (x: [n * m]f64) = f (unflatten x) |> flatten

entry main (n: i64) (m: i64) (x: []f64) : bool =
  let x = x :> [n * m]f64
  let c k (f: [n][m]f64 -> [][]f64) = check (\x -> flat f x :> [k]f64) x
  in c (i64.max 0 (n - 2) * i64.max 0 (m - 2)) convolved && c (n * m) clamped && c (n * m) corners
     && c (n * m) zeros && c (n * m) inner && c (n * m) branches && c (n * m) periodic && c (n * m) steps
     && check edges x && check wide x
