-- A size-lifted type as the parameter of a functor.
module type dyn = {type~ t val make : i64 -> t val size : t -> i64 val cat : t -> t -> t}
module rows : dyn = {
  type~ t = []i32
  def make (n: i64) : t = replicate n 0
  def size (x: t) = length x
  def cat (x: t) (y: t) : t = x ++ y
}
module use (d: dyn) = {
  def three = d.cat (d.make 1) (d.make 2)
  def grow (n: i32) = loop x = d.make 1 for _i < n do d.cat x x
  def pick b = if b then d.make 1 else d.make 2
}
module u = use rows
-- ==
-- input { true } output { 3i64 8i64 1i64 }
-- input { false } output { 3i64 8i64 2i64 }
entry main (b: bool) = (rows.size u.three, rows.size (u.grow 3), rows.size (u.pick b))
