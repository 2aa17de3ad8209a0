-- The sizes of abstract types count.
-- at 11
-- ==
-- error: Sizes "3" and "4" do not match

module m : {type t [n] val make : (n: i64) -> t [n] val both [n] : t [n] -> t [n] -> i64} = {
  type t [n] = [n]i32
  def make n = replicate n 0i32
  def both [n] (a: t [n]) (b: t [n]) = n + length a + length b
}
def f = m.both (m.make 3) (m.make 4)
