-- A functor over an abstract type that hides a record with a function.
-- ==
-- input { [1,2,3] } output { [3,5,7] 15 }
module type K = {
  type^ t
  val mk : i32 -> t
  val run [n] : t -> [n]i32 -> [n]i32
}
module lin : K = {
  type^ t = {f: i32 -> i32, k: i32}
  def mk (k: i32) : t = {f = \x -> x * k, k}
  def run [n] (t: t) (xs: [n]i32) = map (t.f >-> (+ t.k) >-> (\x -> x - 1)) xs
}
module use (k: K) = { def go [n] (xs: [n]i32) : [n]i32 = k.run (k.mk 2) xs }
module u = use lin
entry main (xs: []i32) = let r = u.go xs in (r, i32.sum r)
