-- A functor over the numeric modules.
module linalg (t: real) = {
  def dot [n] (a: [n]t.t) (b: [n]t.t) : t.t = t.sum (map2 (t.*) a b)
  def norm [n] (a: [n]t.t) : t.t = t.sqrt (dot a a)
}
module l32 = linalg f32
module l64 = linalg f64
-- ==
-- input { [3f32, 4f32] [3.0, 4.0] } output { 5f32 25.0 }
entry main (a: []f32) (b: []f64) = (l32.norm a, l64.dot b b)
