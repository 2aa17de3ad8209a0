-- Sizes of abstract types that their values show: in records, sums, and sizes of other abstract types.
-- ==
-- input { [1f32, 2f32, 3f32] } output { 6i64 }
module v : { type t [n] val mk [n] : [n]f32 -> t [n] val len [n] : t [n] -> i64 } = {
  type t [n] = {xs: [n]f32, twice: [2 * n]f32}
  def mk [n] (xs: [n]f32) : t [n] = {xs, twice = sized (2 * n) (xs ++ xs)}
  def len [n] (_: t [n]) = n
}

module w : { type s [n] val wrap [n] : v.t [n] -> s [n] val len [n] : s [n] -> i64 } = {
  type s [n] = #one (v.t [n]) | #none
  def wrap [n] (x: v.t [n]) : s [n] = #one x
  def len [n] (_: s [n]) = n
}

entry main (xs: []f32) = v.len (v.mk xs) + w.len (w.wrap (v.mk xs))
