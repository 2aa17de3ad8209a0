-- A value may be more polymorphic than its spec.
module m : { val f : i32 -> i32 val len [n] : [n]i32 -> i64 } = {
  def f 'a (x: a) : a = x
  def len 'a [n] (_: [n]a) = n
}
-- ==
-- input { 3 } output { 3 2i64 }
entry main (x: i32) = (m.f x, m.len [x, x])
