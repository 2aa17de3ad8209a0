-- Products of monoids.
module type monoid = {type t val ne : t val op : t -> t -> t}
module pair (a: monoid) (b: monoid) : monoid with t = (a.t, b.t) = {
  type t = (a.t, b.t)
  def ne = (a.ne, b.ne)
  def op (x: t) (y: t) = (a.op x.0 y.0, b.op x.1 y.1)
}
module add : monoid with t = i32 = {type t = i32 def ne = 0i32 def op = (i32.+)}
module mul : monoid with t = i32 = {type t = i32 def ne = 1i32 def op = (i32.*)}
module folds (m: monoid) = {
  def total [n] (xs: [n]m.t) = reduce m.op m.ne xs
  def running [n] (xs: [n]m.t) = scan m.op m.ne xs
}
module both = folds (pair (pair add mul) add)
-- ==
-- input { [1, 2, 3] } output { 6 6 3 [1, 3, 6] }
entry main (xs: []i32) =
  let ys = map (\x -> ((x, x), 1)) xs
  let ((a, b), c) = both.total ys
  in (a, b, c, map (\p -> p.0.0) (both.running ys))
