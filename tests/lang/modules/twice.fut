-- A functor that takes a functor and applies it twice.
module type step = (p: {val x : i32}) -> {val x : i32}
module twice (f: step) (p: {val x : i32}) = {
  module a = f p
  module b = f a
  def x = b.x
}
module double (p: {val x : i32}) = {def x = p.x * 2}
module four = twice double {def x = 1i32}
module sixteen = twice (twice double) {def x = 1i32}
-- ==
-- input { } output { 4 16 }
entry main = (four.x, sixteen.x)
