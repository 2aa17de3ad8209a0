-- Abstract types with size and type parameters.
module type s = {
  type t [n] 'a
  val make 'a : (n: i64) -> a -> t [n] a
  val size [n] 'a : t [n] a -> i64
  val both [n] 'a 'b : t [n] a -> t [n] b -> t [n] (a, b)
}
module m : s = {
  type t [n] 'a = {xs: [n]a, k: i64}
  def make 'a (n: i64) (x: a) : t [n] a = {xs = replicate n x, k = n}
  def size [n] 'a (_: t [n] a) = n
  def both [n] 'a 'b (x: t [n] a) (y: t [n] b) : t [n] (a, b) = {xs = zip x.xs y.xs, k = x.k}
}
-- ==
-- input { 3i64 } output { 3i64 }
entry main (n: i64) = m.size (m.both (m.make n 1i32) (m.make n true))
