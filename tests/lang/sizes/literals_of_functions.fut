-- Suffixes of literals among the arguments of a size that is an application, in functions given as
-- arguments, and in what hides sizes.
-- ==
-- entry: main
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64] }

-- ==
-- entry: given
-- input { [1, 2] } output { 3 7 }

-- ==
-- entry: hidden
-- input {} output { 2i64 [5i32, 6i32] }

def half (n: i64) (m: i64) = (n + m) / 2
def middle (n: i64) : [half n 3i64]i64 = iota (half n 3)
entry main (n: i64) : [half n 3]i64 = middle n

def call (f: [2i64]i32 -> i32) (xs: [2]i32) = f xs
def plus [n] (k: i32) (xs: [n]i32) : i32 = k * i32.sum xs
def two (xs: [2]i32) = xs[0] + 3 * xs[1]
entry given (xs: [2]i32) = (call (plus 1) xs, call two xs)

module m : { type t val mk : i32 -> t val get : t -> [2]i32 } = {
  type t = {a: [2i64]i32}
  def mk (x: i32) : t = {a = [x, x + 1]}
  def get (x: t) : [2]i32 = x.a
}

entry hidden = (length (m.get (m.mk 5) : [2i64]i32), m.get (m.mk 5))
