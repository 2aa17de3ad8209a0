-- A functor over the integer modules.
module bits (t: integral) = {
  def parity (x: t.t) : i32 = t.popc x % 2
  def mask (k: i32) : t.t = t.((i32 1 << i32 k) - i32 1)
}
module b8 = bits u8
module b64 = bits i64
-- ==
-- input { 7u8 6i64 } output { 1 0 15u8 255i64 }
entry main (x: u8) (y: i64) = (b8.parity x, b64.parity y, b8.mask 4, b64.mask 8)
