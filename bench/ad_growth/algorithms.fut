-- Algorithms whose gradients should cost a few times the function, at any size, with memory for
-- what is overwritten and no more.  Each takes n numbers and k, the order of a matrix or the like.
-- A row: name, the number of elements at the smallest size and k; or the order and 0.

def matrix [n] (x: [n]f64) (k: i64) : *[k][k]f64 =
  copy (unflatten (x[0:k * k] :> [k * k]f64))

-- LU with the greatest pivot of each column: rows swapped, the rest eliminated in loops.
-- row: lu_pivot 48 0
def lu_pivot [n] (x: [n]f64) (k: i64) : f64 =
  let a = loop a = matrix x k for p < k do
    let (_, q) = reduce_comm (\(u, i) (v, j) -> if u > v || (u == v && i < j) then (u, i) else (v, j))
                             (-1, k) (map (\i -> (f64.abs a[i, p], i)) (p..<k))
    let top = copy a[p]
    let a[p] = copy a[q]
    let a[q] = top
    in loop a for i in p + 1..<k do
      let f = a[i, p] / a[p, p]
      let a[i, p] = f
      in loop a for j in p + 1..<k do a with [i, j] = a[i, j] - f * a[p, j]
  in f64.sum (tabulate k (\i -> f64.log (f64.abs a[i, i])))

-- The same with the elimination as a map over all of the matrix.
-- row: lu_rows 48 0
def lu_rows [n] (x: [n]f64) (k: i64) : f64 =
  let a = loop a = matrix x k for p < k do
    let (_, q) = reduce_comm (\(u, i) (v, j) -> if u > v || (u == v && i < j) then (u, i) else (v, j))
                             (-1, k) (map (\i -> (f64.abs a[i, p], i)) (p..<k))
    let top = copy a[p]
    let a[p] = copy a[q]
    let a[q] = top
    let pivot = copy a[p]
    in map2 (\i row ->
               if i <= p then row
               else let f = row[p] / pivot[p]
                    in map2 (\j v -> if j == p then f else if j < p then v else v - f * pivot[j])
                            (iota k) row)
            (iota k) a
  in f64.sum (tabulate k (\i -> f64.log (f64.abs a[i, i])))

-- QR by Householder reflections in place.
-- row: qr 48 0
def qr [n] (x: [n]f64) (k: i64) : f64 =
  let a = loop a = matrix x k for p < k - 1 do
    let norm = f64.sqrt (f64.sum (map (\i -> a[i, p] * a[i, p]) (p..<k)))
    let alpha = if a[p, p] > 0 then -norm else norm
    let v = tabulate k (\i -> if i < p then 0 else if i == p then a[p, p] - alpha else a[i, p])
    let vv = f64.sum (map (\u -> u * u) v)
    in loop a for j in p..<k do
      let s = 2 * f64.sum (map (\i -> v[i] * a[i, j]) (p..<k)) / vv
      in loop a for i in p..<k do a with [i, j] = a[i, j] - s * v[i]
  in f64.sum (tabulate k (\i -> f64.abs a[i, i])) + a[0, k - 1]

-- Eigenvalues of a symmetric matrix: two sweeps of rotations in place.
-- row: jacobi 24 0
def jacobi [n] (x: [n]f64) (k: i64) : f64 =
  let m = matrix x k
  let s = tabulate_2d k k (\i j -> 0.5 * (m[i, j] + m[j, i]))
  let a = loop a = copy s for _sweep < 2i64 do
    loop a for p < k - 1 do
      loop a for q in p + 1..<k do
        let theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
        let t = (if theta >= 0 then 1 else -1) / (f64.abs theta + f64.sqrt (theta * theta + 1))
        let c = 1 / f64.sqrt (t * t + 1)
        let s = t * c
        let a = loop a for i < k do
          let u = a[i, p]
          let v = a[i, q]
          let a[i, p] = c * u - s * v
          in a with [i, q] = s * u + c * v
        in loop a for i < k do
          let u = a[p, i]
          let v = a[q, i]
          let a[p, i] = c * u - s * v
          in a with [q, i] = s * u + c * v
  in f64.sum (tabulate k (\i -> a[i, i] * a[i, i] * a[i, i]))

-- The greatest sum of a segment, as a scan.
-- row: segment 65536 1
def segment [n] (x: [n]f64) (_k: i64) : f64 =
  let op (b1, p1, s1, t1) (b2, p2, s2, t2) =
    (f64.max (f64.max b1 b2) (s1 + p2), f64.max p1 (t1 + p2), f64.max (s1 + t2) s2, t1 + t2)
  let ys = scan op (f64.lowest, f64.lowest, f64.lowest, 0) (map (\v -> let u = v - 0.5 in (u, u, u, u)) x)
  in f64.sum (map (.0) ys)

-- Histograms of products of matrices and of sums of logarithms.
-- row: matrices 65536 64
def matrices [n] (x: [n]f64) (k: i64) : f64 =
  let op (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let ms = map (\v -> (1, 0.1 * v, 0.2 * v, 1)) x
  in f64.sum (map (\(a, b, c, d) -> a + b * c + d)
       (hist op (1, 0, 0, 1) k (tabulate n (\i -> i * 7 % k)) ms))
-- row: log_sums 65536 64
def log_sums [n] (x: [n]f64) (k: i64) : f64 =
  let op a b = let m = f64.max a b
               in if m == -f64.inf then m else m + f64.log (f64.exp (a - m) + f64.exp (b - m))
  in f64.sum (hist op (-f64.inf) k (tabulate n (\i -> i * 7 % k)) x)

-- Alignment of two sequences, diagonal by diagonal; and as a table, cell by cell.
def softmin (a: f64) (b: f64) (c: f64) : f64 =
  let m = f64.min a (f64.min b c)
  in m - f64.log (f64.exp (m - a) + f64.exp (m - b) + f64.exp (m - c))
-- row: wavefront 256 1
def wavefront [n] (x: [n]f64) (_k: i64) : f64 =
  let m = n / 2
  let (u, w) = (take m x, drop m x)
  let (_, last) = loop (before, now) = (replicate (m + 1) 1e6, replicate (m + 1) 1e6 with [0] = 0) for d in 1...2 * m do
    let next = tabulate (m + 1) (\i ->
      let j = d - i
      in if i == 0 || j <= 0 || j > m then 1e6
         else let z = u[i - 1] - w[j - 1]
              in z * z + softmin now[i - 1] now[i] before[i - 1])
    in (now, next)
  in last[m]
-- row: table 256 1
def table [n] (x: [n]f64) (_k: i64) : f64 =
  let m = n / 2
  let t = loop t = replicate (m + 1) (replicate (m + 1) 1e6) with [0, 0] = 0 for i in 1...m do
    loop t for j in 1...m do
      let z = x[i - 1] - x[m + j - 1]
      in t with [i, j] = z * z + softmin t[i - 1, j] t[i, j - 1] t[i - 1, j - 1]
  in t[m, m]

-- The same table, diagonal by diagonal: by scatters, as many lanes each time and as many as there
-- are cells, and by a loop.
def cell [m] (x: []f64) (t: [m][m]f64) (i: i64) (j: i64) : f64 =
  let z = x[i - 1] - x[m + j - 2]
  in z * z + softmin t[i - 1, j] t[i, j - 1] t[i - 1, j - 1]
def start (m: i64) : *[m + 1][m + 1]f64 = replicate (m + 1) (replicate (m + 1) 1e6) with [0, 0] = 0
-- row: lanes 256 1
def lanes [n] (x: [n]f64) (_k: i64) : f64 =
  let m = n / 2
  let t = loop t = start m for d in 2...2 * m do
    let is = map (\i -> if d - i >= 1 && d - i <= m then (i, d - i) else (-1, -1)) (1...m)
    in scatter_2d t is (map (\(i, j) -> if i < 0 then 0 else cell x t i j) is)
  in t[m, m]
-- row: cells 256 1
def cells [n] (x: [n]f64) (_k: i64) : f64 =
  let m = n / 2
  let t = loop t = start m for d in 2...2 * m do
    let is = map (\i -> (i, d - i)) (i64.max 1 (d - m)...i64.min m (d - 1))
    in scatter_2d t is (map (\(i, j) -> cell x t i j) is)
  in t[m, m]
-- row: diagonal 256 1
def diagonal [n] (x: [n]f64) (_k: i64) : f64 =
  let m = n / 2
  let t = loop t = start m for d in 2...2 * m do
    loop t for i in i64.max 1 (d - m)...i64.min m (d - 1) do t with [i, d - i] = cell x t i (d - i)
  in t[m, m]

-- An array that grows by one element in each iteration.
-- row: growing 512 1
def growing [n] (x: [n]f64) (_k: i64) : f64 =
  f64.sum (loop a = [x[0]] for i in 1..<n do a ++ [f64.sin (a[i - 1] + x[i])])

-- Natural cubic splines: a tridiagonal system, then the value between all knots.
-- row: spline 65536 1
def spline [n] (x: [n]f64) (_k: i64) : f64 =
  let (c, d) = loop (c, d) = (replicate n 0, replicate n 0) for i in 1..<n - 1 do
    let w = 4 - c[i - 1]
    let r = 6 * (x[i - 1] - 2 * x[i] + x[i + 1])
    in (c with [i] = 1 / w, d with [i] = (r - d[i - 1]) / w)
  let m = loop m = replicate n 0 for j < n - 2 do
    let i = n - 2 - j
    in m with [i] = d[i] - c[i] * m[i + 1]
  in f64.sum (tabulate (n - 1) (\i -> let (a, b) = (m[i], m[i + 1])
                                      in (x[i] + x[i + 1]) / 2 - (a + b) / 16))

-- Attention over k rows, and k rounds of Sinkhorn's scaling.
-- row: attention 2048 16
def attention [n] (x: [n]f64) (k: i64) : f64 =
  let q = unflatten (x[0:(n / k) * k] :> [(n / k) * k]f64)
  let rows = map (\r ->
    let s = map (\t -> f64.sum (map2 (*) r t) / f64.sqrt (f64.i64 k)) q
    let m = f64.maximum s
    let e = map (\v -> f64.exp (v - m)) s
    let z = f64.sum e
    in map (\c -> f64.sum (map2 (\w t -> w * t / z) e c)) (transpose q)) q
  in f64.sum (flatten rows)
-- row: sinkhorn 48 0
def sinkhorn [n] (x: [n]f64) (k: i64) : f64 =
  let c = map (map (\v -> f64.exp (-v))) (matrix x k)
  let (u, v) = loop (_, v) = (replicate k 1, replicate k 1) for _i < 20i64 do
    let u = map (\r -> 1 / f64.sum (map2 (*) r v)) c
    let v = map (\r -> 1 / f64.sum (map2 (*) r u)) (transpose c)
    in (u, v)
  in f64.sum (map2 (\r a -> f64.sum (map2 (\w b -> a * w * b * f64.log w) r v)) c u)

entry lu_pivot_p [n] (x: [n]f64) (k: i64) = lu_pivot x k
entry lu_pivot_g [n] (x: [n]f64) (k: i64) = vjp (\y -> lu_pivot y k) x 1
entry lu_rows_p [n] (x: [n]f64) (k: i64) = lu_rows x k
entry lu_rows_g [n] (x: [n]f64) (k: i64) = vjp (\y -> lu_rows y k) x 1
entry qr_p [n] (x: [n]f64) (k: i64) = qr x k
entry qr_g [n] (x: [n]f64) (k: i64) = vjp (\y -> qr y k) x 1
entry jacobi_p [n] (x: [n]f64) (k: i64) = jacobi x k
entry jacobi_g [n] (x: [n]f64) (k: i64) = vjp (\y -> jacobi y k) x 1
entry segment_p [n] (x: [n]f64) (k: i64) = segment x k
entry segment_g [n] (x: [n]f64) (k: i64) = vjp (\y -> segment y k) x 1
entry matrices_p [n] (x: [n]f64) (k: i64) = matrices x k
entry matrices_g [n] (x: [n]f64) (k: i64) = vjp (\y -> matrices y k) x 1
entry log_sums_p [n] (x: [n]f64) (k: i64) = log_sums x k
entry log_sums_g [n] (x: [n]f64) (k: i64) = vjp (\y -> log_sums y k) x 1
entry wavefront_p [n] (x: [n]f64) (k: i64) = wavefront x k
entry wavefront_g [n] (x: [n]f64) (k: i64) = vjp (\y -> wavefront y k) x 1
entry table_p [n] (x: [n]f64) (k: i64) = table x k
entry table_g [n] (x: [n]f64) (k: i64) = vjp (\y -> table y k) x 1
entry growing_p [n] (x: [n]f64) (k: i64) = growing x k
entry growing_g [n] (x: [n]f64) (k: i64) = vjp (\y -> growing y k) x 1
entry spline_p [n] (x: [n]f64) (k: i64) = spline x k
entry spline_g [n] (x: [n]f64) (k: i64) = vjp (\y -> spline y k) x 1
entry attention_p [n] (x: [n]f64) (k: i64) = attention x k
entry attention_g [n] (x: [n]f64) (k: i64) = vjp (\y -> attention y k) x 1
entry sinkhorn_p [n] (x: [n]f64) (k: i64) = sinkhorn x k
entry sinkhorn_g [n] (x: [n]f64) (k: i64) = vjp (\y -> sinkhorn y k) x 1
entry lanes_p [n] (x: [n]f64) (k: i64) = lanes x k
entry lanes_g [n] (x: [n]f64) (k: i64) = vjp (\y -> lanes y k) x 1
entry cells_p [n] (x: [n]f64) (k: i64) = cells x k
entry cells_g [n] (x: [n]f64) (k: i64) = vjp (\y -> cells y k) x 1
entry diagonal_p [n] (x: [n]f64) (k: i64) = diagonal x k
entry diagonal_g [n] (x: [n]f64) (k: i64) = vjp (\y -> diagonal y k) x 1
