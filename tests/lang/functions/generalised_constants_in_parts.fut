-- Constants with functions and empty arrays in them, used at several types: through a local name,
-- as nested parts, in modules and functors, and behind other constants.
-- ==
-- entry: main
-- input { [1, 2, 3] } output { [3, 2, 1] [1, 2] 2i64 [[1], [2], [3]] empty([0][2]i32) }
def tools =
  let flip = reverse
  let first = take 2
  in {flip, first, k = 2i64}

def nested = ({a = {b = map}}, [])
def single = (\x -> [x], [])

module m = {
  def none = []
  def swap = (\x y -> (y, x), none)
}

entry main (xs: []i32) =
  let t = tools
  in (t.flip xs, t.first xs, t.k, nested.0.a.b single.0 xs, copy (m.none : [0][2]i32))

-- ==
-- entry: at_two_types
-- input { 3 true } output { true 3 3 true [3] [true] }
entry at_two_types (x: i32) (b: bool) =
  let (p, q) = m.swap.0 x b
  let (r, s) = m.swap.0 b x
  in (p, q, r, s, m.swap.1 ++ [x], m.swap.1 ++ [b])

module holder (p: {type t val x : t}) = {
  def nothing = []
  def both = (nothing, \_ -> p.x)
}

module h = holder {type t = i64 def x = 7i64}

-- ==
-- entry: in_functor
-- input { 5f32 } output { [5f32] [1i64] 7i64 }
entry in_functor (y: f32) = (h.nothing ++ [y], h.both.0 ++ [1i64], h.both.1 y)

-- An open type that the type of the definition does not mention is the unit type.
def count = length []

def through = nested.1

-- ==
-- entry: behind
-- input { [1u8, 2u8] } output { 0i64 [1u8, 2u8] [3i16] }
entry behind (xs: []u8) = (count, xs ++ through, through ++ [3i16])
