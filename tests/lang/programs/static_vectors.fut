-- Vectors of static length, made by concatenation or of arrays.
module type vector = {
  type vector 'a
  val map 'a 'b : (a -> b) -> vector a -> vector b
  val map2 'a 'b 'c : (a -> b -> c) -> vector a -> vector b -> vector c
  val reduce 'a : (a -> a -> a) -> a -> vector a -> a
  val zip 'a 'b : vector a -> vector b -> vector (a, b)
  val iota : vector i64
  val replicate 'a : a -> vector a
  val get 'a : i64 -> vector a -> a
  val set 'a : i64 -> a -> vector a -> vector a
  val length : i64
  val foldr 'a 'b : (b -> a -> a) -> a -> vector b -> a
  val to_array 'a : vector a -> []a
  val from_array 'a [n] : [n]a -> vector a
}
module vector_1 : vector = {
  type vector 'a = a
  def map f a = f a
  def map2 f a b = f a b
  def reduce op ne a = ne `op` a
  def zip a b = (a, b)
  def iota = 0i64
  def replicate a = a
  def get _ a = a
  def set _ x _ = x
  def length = 1i64
  def foldr f ne a = f a ne
  def to_array a = [a]
  def from_array xs = xs[0]
}
module cat_vector (X: vector) (Y: vector): vector = {
  type vector 'a = (X.vector a, Y.vector a)
  def map f (x, y) = (X.map f x, Y.map f y)
  def map2 f (x1, y1) (x2, y2) = (X.map2 f x1 x2, Y.map2 f y1 y2)
  def reduce f ne (x, y) = X.reduce f ne x `f` Y.reduce f ne y
  def zip (x1, y1) (x2, y2) = (X.zip x1 x2, Y.zip y1 y2)
  def iota = (X.iota, Y.map (+ X.length) Y.iota)
  def replicate a = (X.replicate a, Y.replicate a)
  def get i (x, y) = if i < X.length then X.get i x else Y.get (i - X.length) y
  def set i v (x, y) =
    if i < X.length then (X.set i v x, y) else (x, Y.set (i - X.length) v y)
  def length = X.length + Y.length
  def foldr f ne (x, y) = X.foldr f (Y.foldr f ne y) x
  def to_array (x, y) = X.to_array x ++ Y.to_array y
  def from_array xs =
    (X.from_array (take X.length xs), Y.from_array (drop X.length xs))
}
module vector_2 = cat_vector vector_1 vector_1
module vector_3 = cat_vector vector_2 vector_1
module twice (V: vector) = cat_vector V V
def iota_ (n: i64) = iota n
def fold_r 'a 'b [n] (f: b -> a -> a) (ne: a) (xs: [n]b) = foldr f ne xs
module any_vector (P: { val n : i64 }) : vector = {
  type vector 'a = [P.n]a
  def map = map
  def map2 = map2
  def reduce = reduce
  def zip = zip
  def iota = iota P.n
  def replicate 'a (x: a) = map (\_ -> x) (iota_ P.n)
  def get 'a (i: i64) (xs: [P.n]a) = xs[i]
  def set 'a (i: i64) (x: a) (xs: [P.n]a) = copy xs with [i] = x
  def length = P.n
  def foldr 'a 'b (f: b -> a -> a) (ne: a) (xs: [P.n]b) = fold_r f ne xs
  def to_array 'a (xs: [P.n]a) : []a = xs
  def from_array 'a [n] (xs: [n]a) = xs[:P.n] :> [P.n]a
}
module vspace (V: vector) (R: {
      type t
      val zero : t
      val + : t -> t -> t
      val * : t -> t -> t
    }) = {
  type v = V.vector R.t
  def (a: v) + (b: v) : v = V.map2 (R.+) a b
  def dot (a: v) (b: v) : R.t = V.reduce (R.+) R.zero (V.map2 (R.*) a b)
  def scale (k: R.t) (a: v) : v = V.map (k R.*) a
}
module r = { open f32 def zero = 0f32 }
module v3 = vspace vector_3 r
module v5 = vspace (any_vector { def n = 5i64 }) r
module vector_6 = twice vector_3
module v6 = vspace vector_6 r
def a3 = vector_3.from_array [1f32, 2, 3]

-- ==
-- entry: d3
-- input { } output { 28f32 }
entry d3 = v3.dot a3 (v3.scale 2 a3)

-- ==
-- entry: l6
-- input { } output { 6i64 }
entry l6 = vector_6.length

-- ==
-- entry: i6
-- input { } output { [0i64, 10i64, 20i64, 30i64, 99i64, 50i64] }
entry i6 = vector_6.(to_array (set 4 99 (map (* 10) iota)))
module av5 = any_vector { def n = 5i64 }

-- ==
-- entry: arrs
-- input { } output { [0i64, 9i64, 18i64, 27i64] }
entry arrs =
  map (\i -> vector_3.replicate i |> vector_3.set 1 (i * 2)) (iota 4)
  |> map (\v -> vector_3.foldr (\x acc -> x + 2 * acc) 0 v)

-- ==
-- entry: fold5
-- input { } output { 2f64 }
entry fold5 = av5.foldr (-) 0 (av5.map f64.i64 av5.iota)

-- ==
-- entry: inner
-- input { } output { [0i64, 10i64, 20i64] }
entry inner = map (\x -> av5.reduce (+) 0 (av5.map (* x) av5.iota)) (iota 3)
