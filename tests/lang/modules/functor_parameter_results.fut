-- The same, of a functor without a module type of its own, and of one that is written in place.
-- ==
-- input { 3 } output { 8 }

module type s = {type u val f : u -> i32 val u : u}
module mk (R: {val k : i32}) = { type u = i32 def f (x: u) = x + R.k def u = 0i32 }
module app (F: (R: {val k : i32}) -> s) = {
  module x = F {def k = 1i32}
  def go () = let y : x.u = x.u in x.f y
}
module a = app mk
module b = app (\(R: {val k : i32}) : s -> {
  type u = (i32, bool)
  def f (x: u) = if x.1 then x.0 + R.k else 0
  def u : u = (3, true)
})
entry main (x: i32) = x + a.go () + b.go ()
