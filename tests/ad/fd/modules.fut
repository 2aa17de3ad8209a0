-- Code generic in the number type, through parametric modules.
-- ==
-- input { } output { [true, true] }
import "lib/fd"

module poly (r: real) = {
  def horner [k] (cs: [k]r.t) (x: r.t) = foldr (\c acc -> c r.+ x r.* acc) (r.i32 0) cs
  def norm [k] (x: [k]r.t) = r.sqrt (r.sum (map (\v -> v r.* v) x))
}
module p = poly f64
def f [n] (x: [n]f64) = map (p.horner x) (map (p.norm [x[0], x[1]] *) x)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> p.norm x) [0.7, -1.3, 2.1, 0.4, -0.6]]
