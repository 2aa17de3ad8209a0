-- Products of matrices within loops that do more: rows are done in strips of 128, of which the last is not full.
-- Whole numbers, so that floats are exact: the same functions of i64 give the same.
-- ==
-- entry: layers starts two factor weights recurrent dilated
-- input { 300i64 20i64 17i64 9i64 } output { true }
-- input { 128i64 33i64 16i64 40i64 } output { true }
-- input { 1i64 5i64 3i64 2i64 } output { true }
-- input { 0i64 5i64 3i64 2i64 } output { true }
-- input { 140i64 0i64 7i64 4i64 } output { true }

module type number = {
  type t
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val max : t -> t -> t
  val sum [n] : [n]t -> t
  val i64 : i64 -> t
}

module programs (R: number) = {
  type t = R.t
  def (+) = (R.+)
  def (-) = (R.-)
  def (*) = (R.*)

  def matrix (seed: i64) (n: i64) (m: i64) : [n][m]t =
    opaque (tabulate_2d n m (\i j -> R.i64 (i64.((i * 7 + j * 13 + seed * i * j + seed) % 5 - 2))))

  def dot [n] (x: [n]t) (y: [n]t) : t = R.sum (map2 (*) x y)

  def layers (n: i64) (m: i64) (p: i64) (q: i64) : [n]t =
    let (a, w, v) = (matrix 1 n m, matrix 2 p m, matrix 3 q p)
    in map (\x ->
              let h = map (\r -> R.max (R.i64 0) (dot r x)) w
              in R.sum (map (\r -> let s = dot r h in R.max s (R.i64 (-3))) v))
           a

  def starts (n: i64) (m: i64) (p: i64) (q: i64) : [n][p]t =
    let (a, w, b) = (matrix q n m, matrix 2 p m, flatten (matrix 3 1 p) :> [p]t)
    in map (\x ->
              loop y = copy b for i < p do
                let s = loop s = y[i] for j < m do s + w[i, j] * x[j]
                in y with [i] = copy (R.max s (R.i64 1)))
           a

  def two (n: i64) (m: i64) (p: i64) (q: i64) : [n][p]t =
    let (a, b, c) = (matrix 1 n m, matrix 2 p m, matrix q p m)
    in map (\x -> map2 (\y z -> R.max (R.i64 0) (dot x y) * dot x z) b c) a

  def factor (n: i64) (m: i64) (p: i64) (q: i64) : [n][p]t =
    let (a, b) = (matrix 1 m n, matrix q m p)
    in map (\x -> map (\y -> R.sum (map2 (\x y -> (R.i64 1 - x) * (R.i64 2 + x) * y) x y)) (transpose b))
           (transpose a)

  -- What reverse mode makes of the weights of a layer.
  def weights (n: i64) (m: i64) (p: i64) (q: i64) : [p][m]t =
    let (a, w) = (matrix 1 n m, matrix 2 p m)
    in loop g = copy (matrix q p m) for i < n do
         let h = map (\r -> R.max (R.i64 (-2)) (dot r a[i])) w
         in loop g for j < p do
              let s = h[j] * R.i64 3
              in loop g for k < m do g with [j, k] = copy (g[j, k] + s * a[i, k])

  def recurrent (n: i64) (m: i64) (p: i64) (q: i64) : [n][p]t =
    let (a, w, u) = (matrix 1 n m, matrix 2 p m, matrix 3 p p)
    in map (\x ->
              loop h = replicate p (R.i64 1) for _i < i64.min q 5 do
                map2 (\r v -> R.max (R.i64 (-4)) (dot r x - R.max (R.i64 0) (dot v h))) w u)
           a

  -- Rows that a condition takes apart are made by several loops.
  def dilated (n: i64) (m: i64) (_: i64) (q: i64) : [n][m]t =
    let (w, v) = (matrix 2 m m, matrix 3 m m)
    in loop a = copy (matrix 1 n m) for l < i64.min q 3 do
         tabulate n (\i ->
           let far = l i64.* 40
           let before r = if i >= far then dot r a[i i64.- far] else R.i64 1
           in copy (map3 (\x p r -> R.max (R.i64 (-2)) (x - R.max (R.i64 (-3)) (dot p a[i] + before r))) a[i] w v))
}

module whole = programs { open i64 }
module real = programs { open f64 }

entry layers (n: i64) (m: i64) (p: i64) (q: i64) : bool =
  and (map2 (\x y -> x == f64.i64 y) (opaque (real.layers n m p q)) (opaque (whole.layers n m p q)))

def same [n][m] (xs: [n][m]f64) (ys: [n][m]i64) : bool =
  and (map2 (\x y -> and (map2 (\x y -> x == f64.i64 y) x y)) (opaque xs) (opaque ys))

entry starts (n: i64) (m: i64) (p: i64) (q: i64) : bool = same (real.starts n m p q) (whole.starts n m p q)
entry two (n: i64) (m: i64) (p: i64) (q: i64) : bool = same (real.two n m p q) (whole.two n m p q)
entry factor (n: i64) (m: i64) (p: i64) (q: i64) : bool = same (real.factor n m p q) (whole.factor n m p q)
entry weights (n: i64) (m: i64) (p: i64) (q: i64) : bool = same (real.weights n m p q) (whole.weights n m p q)
entry recurrent (n: i64) (m: i64) (p: i64) (q: i64) : bool = same (real.recurrent n m p q) (whole.recurrent n m p q)
entry dilated (n: i64) (m: i64) (p: i64) (q: i64) : bool = same (real.dilated n m p q) (whole.dilated n m p q)
