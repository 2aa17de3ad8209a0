-- A functor applied to its arguments one by one.
module vec (n: {val n : i64}) (t: {type t val x : t}) = {
  type v = [n.n]t.t
  def make : v = replicate n.n t.x
}
module three = {def n = 3i64}
module vec3 = vec three
module a = vec3 {type t = i32 def x = 1i32}
module b = vec3 {type t = i32 def x = 2i32}
-- ==
-- input { } output { [3, 3, 3] [1, 1, 1] }
entry main : ([]i32, [three.n]i32) = (map2 (+) a.make b.make, a.make)
