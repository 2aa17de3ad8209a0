-- Arrays of an abstract type.
module type num = { type t val zero : t val of : f64 -> t val add : t -> t -> t val to : t -> f64 }
module dual : num = {
  type t = {v: f64, d: f64}
  def zero : t = {v = 0, d = 0}
  def of (x: f64) : t = {v = x, d = 1}
  def add (a: t) (b: t) : t = {v = a.v + b.v, d = a.d + b.d}
  def to (a: t) : f64 = a.v + 10 * a.d
}
-- ==
-- input { [1.0, 2.0] } output { 23.0 [11.0, 12.0] }
entry main (xs: []f64) =
  let ds = map dual.of xs
  in (dual.to (reduce dual.add dual.zero ds), map dual.to ds)
