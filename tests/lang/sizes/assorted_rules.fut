-- Assertions in sizes, sized constants, lifted parameters, refined and included types, hidden sizes.
-- ==
-- entry: asserts
-- input { 3i64 } output { [1f32, 1f32, 1f32] [0i64, 1i64, 2i64] }
-- input { 11i64 } error:

-- ==
-- entry: consts
-- input { 3i64 } output { [5f32, 0f32, 0f32] [0f32, 0f32] [[1i32, 0], [0, 1]] }

-- ==
-- entry: lifted
-- input { [-1, 5] } output { [5] [5, 5] }

-- ==
-- entry: withs
-- input { 3 } output { 3 [3, 3] }

-- ==
-- entry: include2
-- input { 3 } output { 4i64 3 }

-- ==
-- entry: get
-- input { [1, 2] } output { 3 7 }

def ones (k: i64) : [k]f32 = replicate (assert (k < 10) (k : i64)) 1
def idx (k: i64) : [k]i64 = iota (#[unsafe] (assert (k < 10) ((k))))
entry asserts (k: i64) = (ones k, idx k)

def zeros [n] : [n]f32 = replicate n 0
def eye [n] : [n][n]i32 = tabulate_2d n n (\i j -> i32.bool (i == j))
entry consts (k: i64) =
  let a : [k]f32 = zeros
  let a[0] = 5
  let b : *[2]f32 = zeros
  let c : [2][2]i32 = eye
  in (a, b, c)

def app '~a (f: (() -> a) -> a) (x: () -> a) : a = f x
def app2 '^a '~b (f: (a -> b) -> b) (g: a -> b) : (b, b) = (f g, f g)
entry lifted (xs: []i32) =
  let a = app (\(p: () -> []i32) -> filter (> 0) (p ())) (\() -> xs)
  let (b, c) = app2 (\(g: i32 -> []i32) -> let r = g 0 in r ++ []) (\k -> filter (> k) xs)
  in (a, b ++ c)

module type cell = { type content type~ more val get : content -> more }
module mk (P: {type~ c val f : i32 -> c}) : cell with content = i32 with more = P.c = {
  type content = i32
  type~ more = P.c
  def get (x: content) = P.f x
}
module ints = mk {type~ c = []i32 def f (x: i32) : []i32 = replicate (i64.i32 x - 1) x}
module plain = mk {type c = i32 def f (x: i32) = x}
entry withs (x: i32) = (plain.get x, ints.get x)

module type sized = { type elem val size : elem -> i64 }
module type shown = { type elem val show : elem -> i32 }
module type all = { type elem include sized with elem = elem include shown with elem = elem }
module all : all = {
  type elem = {v: i32}
  def size (x: elem) = i64.i32 x.v + 1
  def show (x: elem) = x.v
}
module wrap (P: all with elem = {v: i32}) = { def both x = (P.size {v = x}, P.show {v = x}) }
module w = wrap {
  type elem = {v: i32}
  def size (x: elem) = i64.i32 x.v + 1
  def show (x: elem) = x.v
}
entry include2 (x: i32) = w.both x

module m : { val get [n] : [n]i32 -> ?[k].([k]i32 -> i32, [k]i32) val two : i32 -> ?[k][j].([k]i32, [j]i32, [k]i32 -> [j]i32 -> i32) } = {
  def get [n] (_: [n]i32) = (\_ -> 3, [3i32, 4])
  def two x = ([x], [x, x], \a b -> a[0] + b[0] + b[1] + 4)
}
entry get (s: []i32) = let (f, b) = m.get s let (p, q, g) = m.two 1 in (f b, g p q)
