-- Parametric modules.
module type monoid = { type t val zero : t val add : t -> t -> t }
module fold_with (m: monoid) = {
  def all [n] (xs: [n]m.t) : m.t = reduce m.add m.zero xs
}
module max_i32 : (monoid with t = i32) = { type t = i32 def zero = i32.lowest def add = i32.max }
module mx = fold_with max_i32
module sm = fold_with { type t = f64 def zero = 0f64 def add (x: f64) y = x + y }
-- ==
-- input { [3, 9, 2] [1.5, 2.5] } output { 9 4.0 }
entry main (xs: []i32) (ys: []f64) = (mx.all xs, sm.all ys)
