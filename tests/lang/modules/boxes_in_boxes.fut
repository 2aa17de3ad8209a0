-- Functors applied to each other: types of one name that are not the same.
-- ==
-- input { 2 } output { 2 true 5i64 }
module box (p: { type t }) = {
  type t = {v: p.t}
  def mk (v: p.t) : t = {v}
  def un (b: t) = b.v
}
module b1 = box { type t = i32 }
module b2 = box b1
module b3 = box (box { type t = bool })
module b4 = box { type t = i64 }
entry main (x: i32) =
  ((b2.un (b2.mk (b1.mk x))).v, (b3.un (b3.mk {v = true})).v, b4.un (b4.mk 5))
