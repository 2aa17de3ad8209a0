-- Lowering: many small forms, part 2.

module type monoid = { type t val zero : t val add : t -> t -> t }
module fold_with (m: monoid) = {
  def all [n] (xs: [n]m.t) : m.t = reduce m.add m.zero xs
}
module max_i32 : (monoid with t = i32) = { type t = i32 def zero = i32.lowest def add = i32.max }
module mx = fold_with max_i32
-- ==
-- entry: fmax
-- input { [1,5,2] } output { 5 }
entry fmax (xs: []i32) = mx.all xs
module pairs (a: monoid) (b: monoid) : (monoid with t = (a.t, b.t)) = {
  type t = (a.t, b.t)
  def zero = (a.zero, b.zero)
  def add (x: t) (y: t) : t = (a.add x.0 y.0, b.add x.1 y.1)
}
module sum_f64 = { type t = f64 def zero = 0f64 def add = (f64.+) }
module pp = pairs max_i32 sum_f64
module ppf = fold_with pp
-- ==
-- entry: fpp
-- input { [1,5,2] [1.0,2.0,3.0] } output { 5 6.0 }
entry fpp [n] (xs: [n]i32) (ys: [n]f64) = ppf.all (zip xs ys)
-- higher-order functor
module type mk = (m: monoid) -> { val total [n] : [n]m.t -> m.t }
module mk_total = \(m: monoid) -> { def total [n] (xs: [n]m.t) = reduce m.add m.zero xs  }
module use (f: mk) = { module i = f max_i32 def go (xs: []i32) = i.total xs }
module u = use mk_total
-- ==
-- entry: hof
-- input { [1,5,2] } output { 5 }
entry hof (xs: []i32) = u.go xs
-- abstract polymorphic type
module type container = { type c 'a val wrap 'a : a -> c a val unwrap 'a : c a -> a }
module box : container = { type c 'a = {v: a, n: i32} def wrap 'a (x: a) : c a = {v = x, n = 1} def unwrap 'a (x: c a) = x.v }
module usebox (c: container) = { def twice 'a (x: a) : (a, a) = let w = c.wrap x in (c.unwrap w, c.unwrap w) }
module ub = usebox box
-- ==
-- entry: bx
-- input { 3 [1.0,2.0] } output { 3 3 [1.0,2.0] [1.0,2.0] }
entry bx (x: i32) (y: []f64) = (ub.twice x, ub.twice y)
-- size-parametric abstract type
module type vec = { type v [n] val mk : (n: i64) -> v [n] val sum [n] : v [n] -> i64 }
module vec1 : vec = { type v [n] = [n]i64 def mk (n: i64) : v [n] = iota n def sum [n] (x: v [n]) = i64.sum x }
module uv (q: vec) = { def go (n: i64) = q.sum (q.mk n) }
module uv1 = uv vec1
-- ==
-- entry: vv
-- input { 5i64 } output { 10i64 }
entry vv (n: i64) = uv1.go n
-- more polymorphic implementation
module type ids = { val id1 : i32 -> i32 val id2 'a : a -> a val mp 'a 'b [n] : (a -> b) -> [n]a -> [n]b }
module impl : ids = { def id1 'a (x: a) = x def id2 = \x -> x  def mp 'x 'y [k] (f: x -> y) (xs: [k]x) : [k]y = map f xs }
-- ==
-- entry: poly
-- input { 3 [1,2] } output { 3 3 [2,3] [[1,1],[2,2]] }
entry poly (x: i32) (ys: []i32) = (impl.id1 x, impl.id2 x, impl.mp (+1) ys, impl.mp (\y -> [y,y]) ys)
module type cfg = { val n : i64 val xs : [n]i32 }
module c1 = { def n = 3i64 def xs = replicate n 7i32 }
module ucfg (c: cfg) = { def total = i32.sum c.xs def z (ys: [c.n]i32) = map2 (+) c.xs ys }
module uc = ucfg c1
-- ==
-- entry: ucf
-- input { [1,2,3] } output { 21 [8,9,10] }
entry ucf (ys: [3]i32) = (uc.total, uc.z (ys :> [c1.n]i32))
