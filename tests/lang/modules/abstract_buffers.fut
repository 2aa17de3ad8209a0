-- An abstract type with a size, made, changed in place and read by what its module type lists.
-- ==
-- input { 3i64 } output { [7,0,0] 1i64 }
module type buf = {
  type buf [n]
  val mk : (n: i64) -> *buf [n]
  val set [n] : *buf [n] -> i64 -> i32 -> *buf [n]
  val get [n] : buf [n] -> [n]i32
  val used [n] : buf [n] -> i64
}
module buf : buf = {
  type buf [n] = {d: [n]i32, u: i64}
  def mk (n: i64) : *buf [n] = {d = replicate n 0, u = 0}
  def set [n] (b: *buf [n]) (i: i64) (x: i32) : *buf [n] =
    {d = b.d with [i] = x, u = b.u + 1}
  def get [n] (b: buf [n]) = copy b.d
  def used [n] (b: buf [n]) = b.u
}
entry main (n: i64) =
  let b = buf.mk n let b = buf.set b 0 7 in (buf.get b, buf.used b)
