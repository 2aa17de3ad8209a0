-- The likelihood of series under a linear model with noise (Kalman's filter): four states, two
-- observations, small matrices as arrays; a map over series, a loop over time.
def mm [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a

def mv [n][m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (\r -> f64.sum (map2 (*) r x)) a
def madd [n][m] (a: [n][m]f64) (b: [n][m]f64) = map2 (map2 (+)) a b
def msub [n][m] (a: [n][m]f64) (b: [n][m]f64) = map2 (map2 (-)) a b
def diagonal [n] (d: [n]f64) : [n][n]f64 = tabulate_2d n n (\i j -> if i == j then f64.exp d[i] else 0)

def inverse (s: [2][2]f64) : ([2][2]f64, f64) =
  let det = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
  in ([[s[1, 1] / det, -s[0, 1] / det], [-s[1, 0] / det, s[0, 0] / det]], det)

def series [n][t] (f: [n][n]f64) (h: [2][n]f64) (q: [n][n]f64) (r: [2][2]f64) (ys: [t][2]f64) : f64 =
  let (_, _, ll) =
    loop (x, p, ll) = (replicate n 0, diagonal (replicate n 0), 0) for y in ys do
      let x = mv f x
      let p = madd (mm (mm f p) (transpose f)) q
      let e = map2 (-) y (mv h x)
      let ph = mm p (transpose h)
      let (si, det) = inverse (madd (mm h ph) r)
      let k = mm ph si
      let x = map2 (+) x (mv k e)
      let p = msub p (mm k (transpose ph))
      in (x, p, ll - 0.5 * (f64.sum (map2 (*) e (mv si e)) + f64.log det))
  in ll

entry primal [b][t][n] (ys: [b][t][2]f64) (f: [n][n]f64) (h: [2][n]f64) (logq: [n]f64) (logr: [2]f64) : f64 =
  f64.sum (map (series f h (diagonal logq) (diagonal logr)) ys) / f64.i64 b

entry gradient [b][t][n]
               (ys: [b][t][2]f64) (f: [n][n]f64) (h: [2][n]f64) (logq: [n]f64) (logr: [2]f64)
             : ([n][n]f64, [2][n]f64, [n]f64, [2]f64) =
  vjp (\(f, h, q, r) -> primal ys f h q r) (f, h, logq, logr) 1
