-- Functions of modules and functors under derivatives.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

module type space = { type v val add : v -> v -> v val scale : f64 -> v -> v val norm : v -> f64 }
module line : space with v = f64 = { type v = f64 def add (a: f64) b = a + b def scale (k: f64) a = k * a def norm (a: f64) = a * a }
module plane : space with v = (f64, f64) = {
  type v = (f64, f64)
  def add (a: v) (b: v) = (a.0 + b.0, a.1 + b.1)
  def scale k (a: v) = (k * a.0, k * a.1)
  def norm (a: v) = a.0 * a.0 + f64.sin a.1
}
module walk (S: space) = { def run (a: S.v) (b: S.v) (k: f64) = S.norm (loop s = a for i < 3 do S.add (S.scale k s) b) }
module w1 = walk line
module w2 = walk plane

entry main =
  [check_scalar (\x -> w1.run x[0] x[1] x[2]) [0.7, -1.3, 0.4],
   check_scalar (\x -> w2.run (x[0], x[1]) (x[2], x[0]) x[1]) [0.7, -1.3, 0.4]]
