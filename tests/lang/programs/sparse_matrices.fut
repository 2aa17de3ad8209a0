-- Sparse matrices over a field, with sizes that are hidden.
module type field = {
  type t
  val zero : t
  val one : t
  val + : t -> t -> t
  val * : t -> t -> t
  val - : t -> t -> t
}
module f64_field : field with t = f64 = {
  open f64
  def zero = 0f64
  def one = 1f64
}
module gf7 : (field with t = i32) = {
  type t = i32
  def zero = 0i32
  def one = 1i32
  def norm (x: i32) = x % 7
  def x + y = norm (x i32.+ y)
  def x * y = norm (x i32.* y)
  def x - y = norm (x i32.- y)
}

module mk_sparse (T: field) = {
  type t = T.t
  module csr = {
    type~ csr [n] [m] = ?[nnz].{ dummy_n: [n]()
                               , dummy_m: [m]()
                               , row_off: [n + 1]i64
                               , cols: [nnz]i64
                               , vals: [nnz]t
                               }
    def from_dense [n][m] (iszero: t -> bool) (xss: [n][m]t) : csr [n] [m] =
      let counts =
        map (\row -> i64.sum (map (\x -> i64.bool (!(iszero x))) row)) xss
      let row_off = [0] ++ scan (+) 0 counts :> [n + 1]i64
      let (cols, vals) =
        flatten xss
        |> zip (flatten (map (\_ -> iota m) xss))
        |> filter (\(_, x) -> !(iszero x))
        |> unzip
      in { dummy_n = replicate n ()
         , dummy_m = replicate m ()
         , row_off
         , cols
         , vals
         }
    def smvm [n][m] (a: csr [n] [m]) (x: [m]t) : [n]t =
      tabulate
        n
        (\i ->
           loop s = T.zero for j in a.row_off[i] ..< a.row_off[i + 1] do
             s T.+ (a.vals[j] T.* x[a.cols[j]]))
    def to_dense [n][m] (a: csr [n][m]) : *[n][m]t =
      let row i =
        let js = (iota (length a.cols))[a.row_off[i]:a.row_off[i + 1]]
        in loop row = replicate m T.zero for j in js do row with [a.cols[j]] = a.vals[j]
      in tabulate n row
    def nnz [n] [m] (a: csr [n] [m]) = length a.vals
    def tr [n] [m] (iszero: t -> bool) (a: csr [n] [m]) : csr [m] [n] =
      from_dense iszero (transpose (to_dense a))
  }
  module coo = {
    type~ coo = {n: i64, m: i64, elems: [](i64, i64, t)}
    def mk (n: i64) (m: i64) (elems: [](i64, i64, t)) : coo = {n, m, elems}
    def dense (c: coo) : [][]t =
      let (is, js, vs) = unzip3 c.elems
      in reduce_by_index_2d
           (replicate c.n (replicate c.m T.zero))
           (T.+)
           T.zero
           (zip is js)
           vs
    def scale (k: t) (c: coo) : coo =
      c with elems = map (\(i, j, x) -> (i, j, k T.* x)) c.elems
    def (a: coo) ++ (b: coo) : coo =
      assert (a.n == b.n && a.m == b.m) { n = a.n
                                        , m = a.m
                                        , elems = concat a.elems b.elems
                                        }
  }
}

module s = mk_sparse f64_field
module g = mk_sparse gf7
local def dense_ex : [4][3]f64 = [[1, 0, 2], [0, 0, 0], [0, 3, 0], [4, 5, 6]]

-- ==
-- entry: mv
-- input { } output { [201f64, 0f64, 30f64, 654f64] }
entry mv = s.csr.smvm (s.csr.from_dense (== 0) dense_ex) [1, 10, 100]

-- ==
-- entry: count
-- input { } output { 6i64 }
entry count = s.csr.nnz (s.csr.from_dense (== 0) dense_ex)

-- ==
-- entry: back
-- input { }
-- output {
--   [[1f64, 0f64, 0f64, 4f64], [0f64, 0f64, 3f64, 5f64], [2f64, 0f64, 0f64, 6f64]]
-- }
entry back = s.csr.to_dense (s.csr.tr (== 0) (s.csr.from_dense (== 0) dense_ex))

-- ==
-- entry: gmv
-- input { } output { [3i32, 4i32, 1i32] }
entry gmv = g.csr.smvm (g.csr.from_dense (== 0) [[1, 2], [3, 4], [0, 6]]) [5, 6]

-- ==
-- entry: coo_dense
-- input { } output { [[0i32, 1i32, 0i32], [0i32, 0i32, 1i32]] }
entry coo_dense = g.coo.(dense
                           (scale 3 (mk 2 3 [(0, 0, 4), (1, 2, 5)])
                            ++ mk 2 3 [(0, 0, 2), (0, 1, 1)]))

-- ==
-- entry: bad
-- input { } error: Assertion is false: \(a\.n == b\.n && a\.m == b\.m\)
entry bad = g.coo.(dense (mk 2 3 [] ++ mk 3 2 []))
