module type field = { type t val (+): t -> t -> t val (-): t -> t -> t val (*): t -> t -> t val (/): t -> t -> t val zero: t val one: t val i64 : i64 -> t val fabs : t -> t val (<): t -> t -> bool }
module f64f = { type t = f64 def x + y = x f64.+ y def x - y = x f64.- y def (*) = (f64.*) def (/) = (f64./) def zero = 0f64 def one = 1f64 def i64 = f64.i64 def fabs = f64.abs def x < y = x f64.< y}
module mk_linalg (T: field) : { type t
  val dotprod [n]: [n]t -> [n]t -> t
  val matmul [n][p][m]: [n][p]t -> [p][m]t -> [n][m]t
  val eye: (n: i64) -> [n][n]t
  val inv [n]: [n][n]t -> [n][n]t
  val kron [m][n][p][q]: [m][n]t -> [p][q]t -> [m*p][n*q]t
  val outer [n][m]: [n]t -> [m]t -> [n][m]t } with t = T.t = {
  type t = T.t
  def dotprod [n] (xs: [n]t) (ys: [n]t) : t = reduce (T.+) T.zero (map2 (T.*) xs ys)
  def matmul [n][p][m] (xss: [n][p]t) (yss: [p][m]t): *[n][m]t = map (\xs -> map (dotprod xs) (transpose yss)) xss
  def eye (n: i64): [n][n]t = tabulate_2d n n (\i j -> if i == j then T.one else T.zero)
  def outer [n][m] (xs: [n]t) (ys: [m]t): *[n][m]t = matmul (map (\x -> [x]) xs) [ys]
  def kron' [m][n][p][q] (xss: [m][n]t) (yss: [p][q]t) = map (\xs -> map (\x -> map (map (T.* x)) yss) xs) xss
  def kron [m][n][p][q] (xss: [m][n]t) (yss: [p][q]t): [m*p][n*q]t =
    kron' xss yss |> map transpose |> flatten |> map flatten
  def gauss_jordan [m][n] (A:[m][n]t) =
    loop A = copy A for i < i64.min m n do
      let icol = map (\row -> row[i]) A
      let (j,_) = map T.fabs icol |> zip (iota m) |> drop i
                  |> reduce_comm (\(i,x) (j,y) -> if x T.< y then (j,y) else (i,x)) (0, T.zero)
      let f = T.((one-A[i,i])/A[j,i])
      let irow = map2 (\x y -> x T.+ f T.* y) A[i] A[j]
      in map (\j -> if j == i then irow
             else let f = T.(zero - A[j,i])
                  in map2 (\x y -> x T.+ f T.* y) A[j] irow) (iota m)
  def inv [n] (A: [n][n]t): [n][n]t =
    let Ap = map2 (++) A (eye n)
    let Ap' = gauss_jordan (Ap :> [n][n+n]t)
    in Ap'[:,n:] :> [n][n]t
}
module la = mk_linalg f64f
-- ==
-- entry: mm
-- input { [[1.0,2.0],[3.0,4.0]] [[1.0,0.0],[0.0,2.0]] } output { [[1.0,4.0],[3.0,8.0]] }
entry mm [n][m][p] (a: [n][m]f64) (b: [m][p]f64) = la.matmul a b
-- ==
-- entry: iv
-- input { [[2.0,0.0],[0.0,4.0]] } output { [[0.5,0.0],[0.0,0.25]] }
entry iv [n] (a: [n][n]f64) = la.inv a
-- ==
-- entry: kr
-- input { [[1.0,2.0]] [[3.0],[4.0]] } output { [[3.0,6.0],[4.0,8.0]] }
entry kr [n][m][p][q] (a: [n][m]f64) (b: [p][q]f64) = la.kron a b
-- ==
-- entry: jac
-- input { [1.0,2.0] } output { [[2.0,0.0],[0.0,4.0]] }
entry jac [n] (xs: [n]f64) = map (\i -> jvp (map (\x -> x*x)) xs (map (\j -> f64.bool (i==j)) (iota n))) (iota n) |> transpose
-- ==
-- entry: grad
-- input { [[1.0,2.0],[3.0,4.0]] [1.0,1.0] } output { [[3.0,3.0],[7.0,7.0]] }
def loss [n][m] (a: [n][m]f64) (x: [m]f64) = f64.sum (map (\r -> let y = la.dotprod r x in 0.5*y*y) a)
entry grad [n][m] (a: [n][m]f64) (x: [m]f64) = vjp (\a -> loss a x) a 1
