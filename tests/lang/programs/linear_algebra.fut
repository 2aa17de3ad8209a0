-- Linear algebra over a field: products, inverses, decompositions.
module type field = {
  type t
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val / : t -> t -> t
  val neg : t -> t
  val < : t -> t -> bool
  val of_int : i64 -> t
  val fma : t -> t -> t -> t
}
module type linalg = {
  type t
  val dotprod [n] : [n]t -> [n]t -> t
  val outer [n] [m] : [n]t -> [m]t -> [n][m]t
  val matvecmul_row [n] [m] : [n][m]t -> [m]t -> [n]t
  val matmul [n] [p] [m] : [n][p]t -> [p][m]t -> [n][m]t
  val kronecker [m][n][p][q] : [m][n]t -> [p][q]t -> [m * p][n * q]t
  val inv [n] : [n][n]t -> [n][n]t
  val eye : (n: i64) -> [n][n]t
  val todiag [n] : [n]t -> [n][n]t
  val trace [n] : [n][n]t -> t
  val lu [n] : [n][n]t -> ([n][n]t, [n][n]t)
  val det [n] : [n][n]t -> t
  val ols [n] [m] : [n][m]t -> [n]t -> [m]t
}
def kron_shape [m][n][p][q] 't (x: [m][p][n][q]t) : [m * p][n * q]t =
  flatten (map (map flatten) x)
def hcat [n][m][l] 't (a: [n][m]t) (b: [n][l]t) : *[n][m + l]t = map2 concat a b
module mk_linalg (T: field) : linalg with t = T.t = {
  open T
  def zero = of_int 0
  def one = of_int 1
  def sum [n] (xs: [n]t) = reduce (+) zero xs
  def dotprod [n] (xs: [n]t) (ys: [n]t) : t = sum (map2 (*) xs ys)
  def outer [n][m] (xs: [n]t) (ys: [m]t) : *[n][m]t =
    map (\x -> map (x *) ys) xs
  def matvecmul_row [n][m] (xss: [n][m]t) (ys: [m]t) = map (dotprod ys) xss
  def matmul [n][p][m] (xss: [n][p]t) (yss: [p][m]t) : *[n][m]t =
    map (\xs -> map (dotprod xs) (transpose yss)) xss
  def kronecker [m][n][p][q] (xss: [m][n]t) (yss: [p][q]t) =
    map (map (\x -> map (map (x *)) yss)) xss -- [m][n][p][q]
    |> map transpose -- [m][p][n][q]
    |> kron_shape
  def eye (n: i64) : [n][n]t =
    tabulate_2d n n (\i j -> if i i64.== j then one else zero)
  def todiag [n] (xs: [n]t) : *[n][n]t =
    tabulate_2d n n (\i j -> if i i64.== j then xs[i] else zero)
  def trace [n] (xss: [n][n]t) = sum (map (\i -> xss[i, i]) (iota n))
  def gauss_jordan [n] [m] (A: *[n][m]t) : *[n][m]t =
    loop A for i < i64.min n m do
      let icol = A[:, i]
      let (j, _) =
        map (\x -> if x < zero then neg x else x) icol
        |> zip (iota n)
        |> drop i
        |> reduce_comm
             (\(i, x) (j, y) -> if x < y then (j, y) else (i, x))
             (i, zero)
      let f = (one - A[i, i]) / A[j, i]
      let irow = map2 (\p q -> fma f p q) A[j] A[i]
      in map (\j ->
                let f = neg A[j, i]
                in map2 (\x y -> if j i64.== i then x else fma f x y) irow A[j]) (iota
                                                                                    n)
  def inv [n] (A: [n][n]t) : [n][n]t =
    let AI = gauss_jordan (hcat A (eye n))
    in AI[:, n:] :> [n][n]t
  def lu [n] (a: [n][n]t) : ([n][n]t, [n][n]t) =
    let (l, u) =
      loop (l: *[n][n]t, u: *[n][n]t) = (eye n |> copy, copy a) for k < n do
        let fs =
          map (\i -> if i i64.<= k then zero else u[i, k] / u[k, k]) (iota n)
        let u = map2
                  (\i f ->
                     map2 (\x y -> if i i64.> k then x - f * y else x) u[i] u[k])
                  (iota n)
                  fs
        let l = map2
                  (\i f ->
                     map
                       (\j -> if j i64.== k && i i64.> k then f else l[i, j])
                       (iota n))
                  (iota n)
                  fs
        in (l, u)
    in (l, u)
  def det [n] (a: [n][n]t) =
    let (_, u) = lu a in reduce (*) one (map (\i -> u[i, i]) (iota n))
  def ols [n][m] (X: [n][m]t) (b: [n]t) : [m]t =
    matvecmul_row (matmul (inv (matmul (transpose X) X)) (transpose X)) b
}
module la = mk_linalg { open f64 def of_int = i64 }
module la32 = mk_linalg { open f32 def of_int = i64 }
def a : [3][3]f64 = [[4, 3, 2], [1, 5, 7], [2, 8, 3]]

-- ==
-- entry: mm
-- input { } output { [[29f64, 33f64, 38f64], [33f64, 75f64, 63f64], [38f64, 63f64, 77f64]] }
entry mm = la.matmul a (transpose a)

-- ==
-- entry: iv
-- input { } output { [[1f64, 0f64, 0f64], [-0f64, 1f64, 0f64], [-0f64, -0f64, 1f64]] }
entry iv = la.matmul a (la.inv a) |> map (map (\x -> f64.round (x * 1e6) / 1e6))

-- ==
-- entry: dt
-- input { } output { -135f64 }
entry dt = la.det a

-- ==
-- entry: kr
-- input { } output { [[1f32, 0f32, 2f32, 0f32], [3f32, 1f32, 6f32, 2f32]] }
entry kr = la32.kronecker [[1, 2]] [[1, 0], [3, 1]]

-- ==
-- entry: lu
-- input { }
-- output {
--   [[1f64, 0f64, 0f64], [0.25f64, 1f64, 0f64], [0.5f64, 1.5294117647058822f64, 1f64]]
--   [[4f64, 3f64, 2f64], [0f64, 4.25f64, 6.5f64], [0f64, 0f64, -7.9411764705882355f64]]
--   [[4f64, 3f64, 2f64], [1f64, 5f64, 7f64], [2f64, 8f64, 3f64]]
-- }
entry lu = let (l, u) = la.lu a in (l, u, la.matmul l u)

-- ==
-- entry: ls
-- input { } output { [3.5000000000000018f64, 1.4000000000000012f64] }
entry ls = la.ols [[1, 1], [1, 2], [1, 3], [1, 4]] [6, 5, 7, 10]

-- ==
-- entry: tr
-- input { } output { 11f64 }
entry tr = la.trace (la.todiag [1, 2, 3]) + la.trace (la.eye 5)
-- QR by Gram-Schmidt, generic only in sizes
def qr [n][m] (a: [n][m]f64) : ([n][m]f64, [m][m]f64) =
  let cols = transpose a
  let (q, r) =
    loop (q, r) = (replicate m (replicate n 0), replicate m (replicate m 0)) for j < m do
      let v = copy cols[j]
      let (v, r) =
        loop (v, r) for i < j do
          let rij = f64.sum (map2 (*) q[i] cols[j])
          let r[i, j] = rij
          in (map2 (\x y -> x - rij * y) v q[i], r)
      let nrm = f64.sqrt (f64.sum (map (** 2) v))
      let r[j, j] = nrm
      let q[j] = map (/ nrm) v
      in (q, r)
  in (transpose q, r)

-- ==
-- entry: qrt
-- input { }
-- output {
--   [[0.8571428571428571f64, -0.39428571428571429f64, -0.33142857142857146f64],
--   [0.42857142857142855f64, 0.9028571428571428f64, 0.034285714285714163f64],
--   [-0.2857142857142857f64, 0.17142857142857143f64, -0.94285714285714284f64]]
--   [[14f64, 20.999999999999996f64, -14.000000000000002f64], [0f64, 175f64, -70f64], [0f64, 0f64,
--   35f64]]
--   [[12f64, -51f64, 4f64], [6f64, 167f64, -68f64], [-4f64, 24f64, -41f64]]
-- }
entry qrt =
  let (q, r) = qr [[12, -51, 4], [6, 167, -68], [-4, 24, -41]]
  in (q, r, la.matmul q r)
