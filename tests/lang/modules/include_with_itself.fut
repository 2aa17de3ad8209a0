-- "include S with t = t" after a specification of t makes the included type the one before, which
-- stays abstract.
-- ==
-- entry: main
-- input { 3 } output { 4i64 }
module type sized = { type elem val size : elem -> i64 }
module type both = { type elem include sized with elem = elem val mk : i32 -> elem }

module m : both = {
  type elem = i32
  def size (x: elem) = i64.i32 x + 1
  def mk (x: i32) : elem = x
}

entry main (x: i32) = m.size (m.mk x)

module wrap (P: {type elem val size : elem -> i64}) : both with elem = P.elem = {
  type elem = P.elem
  def size = P.size
  def mk (_: i32) : elem = ???
}

module w = wrap {type elem = bool def size (_: bool) = 1i64}
module refined : both with elem = i64 = {type elem = i64 def size (x: i64) = x def mk = i64.i32}

-- ==
-- entry: refinements
-- input { 3 } output { 1i64 5i64 }
entry refinements (x: i32) = (w.size (x > 2), refined.size 2 + refined.mk x)

module type space = { type real type vec 'a [n] val scale [n] : real -> vec real [n] -> vec real [n] }
module type measured = { type real type norm include space with real = real val norm [n] : vec real [n] -> norm }
module type twice = {
  type real
  type vec 'a [n]
  include space with real = real with vec 'a [n] = vec a [n]
  include sized with elem = real
}

module line : twice with real = f64 with vec 'a [n] = [n]a = {
  type real = f64
  type vec 'a [n] = [n]a
  type elem = f64
  def scale [n] (x: f64) (v: [n]f64) = map (* x) v
  def size (x: f64) = i64.f64 x
}

module plane : measured with real = f32 with norm = f64 = {
  type real = f32
  type norm = f64
  type vec 'a [n] = [n]a
  def scale [n] (x: f32) (v: vec f32 [n]) = map (* x) v
  def norm [n] (v: vec f32 [n]) = f64.f32 (f32.sum v)
}

-- ==
-- entry: several
-- input { [1f64, 2f64] } output { [2f64, 4f64] 3i64 }
entry several (v: []f64) = (line.scale 2 v, line.size 3)
