-- Abstract types of the results of functors that are parameters themselves.
-- ==
-- input { 3 } output { 10 2i64 }
module type elem = { type t val one : t val add : t -> t -> t val out : t -> i32 }
module type boxed = { type b type~ bag 'a val f : b -> i32 val mk : i32 -> b val of 'a : a -> i64 -> bag a val size 'a : bag a -> i64 }
module twice (F: (R: elem) -> boxed) (E: elem) = {
  module x = F E
  module y = F { type t = f32 def one = 2f32 def add (a: f32) b = a + b def out (a: f32) = i32.f32 a }
  def go (k: i32) = x.f (x.mk k) + y.f (y.mk k)
  def n (k: i64) = x.size (x.of true k)
  type keep = {a: x.b, b: y.b}
  def both (k: i32) : keep = {a = x.mk k, b = y.mk k}
  def sum (r: keep) = x.f r.a + y.f r.b
}
module impl (R: elem) : boxed = {
  type b = {r: R.t, k: i32}
  type~ bag 'a = []a
  def f (b: b) = R.out (R.add b.r R.one) + b.k
  def mk (k: i32) : b = {r = R.one, k}
  def of 'a (x: a) (n: i64) : bag a = replicate n x
  def size 'a (b: bag a) = length b
}
module t = twice impl { type t = i32 def one = 0i32 def add (a: i32) b = a + b def out (a: i32) = a }
entry main (x: i32) = (let r = t.both x in assert (t.sum r == t.go x) (t.sum r), t.n 2)
