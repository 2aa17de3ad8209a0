-- Attributes and documentation in many places.

-- | Doubles.
-- Several lines of it.
#[inline]
def double (x: i32) : i32 = #[unsafe] x * 2

#[noinline] def triple (x: i32) = x * 3
module type M = {
  -- | A documented spec.
  val f : i32 -> i32
  #[deprecated] val g : i32 -> i32
  -- | A type.
  type t = i32
}
#[foo(bar, 3, baz(1,))]
module m : M = {
  #[inline] def f x = x + 1
  #[whatever] local def h = 3i32
  def g x = x + h
  type t = i32
}
def a0 (#[unused] x: i32) = #[sequential] map (\(#[foo] y) -> y + x) [1, 2]

-- ==
-- entry: b
-- input { } output { 12i32 }
entry b =
  #[flattening(only_intra)] #[incremental_flattening(no_outer)]
  reduce (+) 0 (#[sequential_outer] map double [1, 2, 3])

-- ==
-- entry: d
-- input { } output { [0i32, 0i32, 0i32] }
entry d =
  #[blank] (#[scratch] replicate 3 0i32) with [0] = 1 with [1] = 2 with [2] = 3

-- ==
-- entry: e
-- input { } output { 27i32 }
entry e = #[unroll] loop x = 1i32 for i < 4 do x * 2 + i

-- ==
-- entry: f_
-- input { } output { 18i64 }
entry f_ = #[param(k)] 17i64 + 1

-- ==
-- entry: g
-- input { } output { 18i32 }
entry g =
  let #[foo] x = 3i32
  let (#[bar] y, _) = (4i32, 5i32)
  in x + y + m.g (m.f 1) + triple 2

-- ==
-- entry: h
-- input { } output { 6i32 }
entry h = #[break] 5 + 1
#[prop(gen(h))] entry i = true
local #[x] def hid = 4i32

-- ==
-- entry: j
-- input { } output { true }
entry j = match (#[q] hid) case #[w] 4 -> true case _ -> false

-- ==
-- entry: a
-- input { } output { [5i32, 6i32] }
entry a = a0 4
