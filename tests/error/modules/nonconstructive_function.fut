-- A function has no arrays that show a size.
-- ==
-- error: not used constructively
module m : { type^ test [k] val any : (k: i64) -> test [k] } = {
  type^ test [k] = [k]u8 -> bool
  def any (k: i64) : test [k] = \(s: [k]u8) -> or (map (> 0) s)
}
