-- A refinement does not compare lifting: the type, or its parameters, may be more lifted than the
-- specification says.  Whether a module fits is decided when it is matched.
-- ==
-- entry: main
-- input { 3 } output { 3 }
module type cell = { type content val get : content -> content }

module mk (P: {type~ c}) : cell with content = P.c = {
  type~ content = P.c
  def get (x: content) = x
}

module ints = mk {type c = i32}
module arrays = mk {type~ c = []i64}

module type boxed = { type box 'a }
module type anybox = boxed with box '^a = (a, i32)
module fits_anybox : anybox = {type^ box '^a = (a, i32)}

entry main (x: i32) = ints.get x

-- ==
-- entry: hidden
-- input { [1i64, 2i64] } output { [1i64, 2i64] }
entry hidden (xs: []i64) = arrays.get xs

module type encoding = { type t val num : t -> i64 }
module direct : encoding with t = []i32 = { type~ t = []i32 def num (x: t) = length x }
module pairs : encoding with t = ([]i32, []bool) = {
  type~ t = ([]i32, []bool)
  def num (x: t) = length x.0 * 10 + length x.1
}

module functions : encoding with t = (i64 -> i64) = {
  type^ t = i64 -> i64
  def num (f: t) = f 4
}

module type key = { type~ ctx val f : ctx -> i64 }
module type user = { type ctx val g : ctx -> i64 }
module use (K: key) : user with ctx = K.ctx = { type~ ctx = K.ctx def g (c: ctx) = K.f c }
module u = use { type~ ctx = []i32 def f (c: ctx) = length c }

-- ==
-- entry: nums
-- input { [1, 2] [true] } output { 2i64 21i64 5i64 2i64 }
entry nums (xs: []i32) (bs: []bool) = (direct.num xs, pairs.num (xs, bs), functions.num (+ 1), u.g xs)
