-- A constant of unknown size in a functor.
module f (p: {val ex : i64 -> []i32}) = {
  def zs = let e = p.ex 4 in zip e e
  def e = p.ex 3
  def g ys = zip e ys
}
module a = f {def ex (n: i64) : []i32 = filter (> 0) (map i32.i64 (iota n))}
-- ==
-- input { } output { 3i64 [3, 5] }
entry main = (length a.zs, map (\(x, y) -> x + y) (a.g (map (+ 1) a.e)))
