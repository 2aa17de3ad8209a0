-- Sizes of what is around a functor are the same for all applications.
module f (p: {val k : i64}) = {
  def n = p.k + 1
  def e = filter (> 0) (iota n)
  module h (q: {}) = {
    def xs = replicate n 1i32
    def ys = map i32.i64 e
  }
  module i = h {}
}
module a = f {def k = 2i64}
module j = a.h {}
-- ==
-- input { } output { [2, 2, 2] [3, 6] }
entry main = (map2 (+) j.xs a.i.xs, map3 (\x y z -> x + y + i32.i64 z) j.ys a.i.ys a.e)
