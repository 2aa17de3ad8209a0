-- Module types with operators, functors of two parameters, functors as parameters.
-- ==
-- entry: main
-- input { 3 } output { 7 10 4i64 [0,0] 1 }
module type mon = { type t val zero : t val + : t -> t -> t }
module type ring = { include mon val * : t -> t -> t val one : t }
module ir : (ring with t = i32) = { type t = i32 def zero = 0i32 def one = 1i32 def (+) = (i32.+) def (*) = (i32.*) }
module poly (R: ring) (S: {val deg : i64}) : { type p val eval : p -> R.t -> R.t val ones : p val deg : i64 } = {
  type p = [S.deg]R.t
  def deg = S.deg
  def ones : p = replicate S.deg R.one
  def eval (p: p) (x: R.t) = loop acc = R.zero for c in p do R.(acc * x + c)
}
module p2 = poly ir {def deg = 2i64}
module app (F: (R: ring) -> {type u val f : u -> R.t val u : u}) = { module x = F ir def go = x.f x.u }
module a = app (\(R: ring) : ({type u val f : u -> R.t val u : u}) -> { type u = R.t def f (x: u) = R.(x + one) def u = R.(one + one) })
module hide : { type^ f val mk : i32 -> f val call : f -> i32 -> i32 } = { type^ f = i32 -> i32 def mk x = \y -> x + y def call (f: f) x = f x }
local module l = { local def sec = 3i32 def pub = sec + 1 }
open { def opened = 2i64 }
entry main (x: i32) = (p2.eval p2.ones (x * 2), hide.call (hide.mk 7) x, opened + 2, (replicate p2.deg 0i32), l.pub - a.go)
