-- Definitions without parameters are generalised: sections, records in records, in functors.
-- ==
-- entry: main
-- input { [1, 2] } output { [2, 1] [true, false] [1, 2] }

-- ==
-- entry: functor
-- input { [1, 2] } output { 2i64 [1, 2] }

-- ==
-- entry: nested
-- input {} output { 3 4f32 true }

-- ==
-- entry: pipes
-- input { [3, 1, 2] } output { [6, 2, 4] [9f32] }

-- ==
-- entry: sums
-- input {} output { 1 2 }

-- ==
-- entry: empties
-- input {} output { 0i64 3i64 }

def rev = reverse
def id' = \x -> x
def flip = \f a b -> f b a
def compose = (>->)

entry main (xs: []i32) = (rev xs, rev [false, true], id' xs)

module type s = {
  val size 'a [n] : [n]a -> i64
  val same '^a : a -> a
  val empty 'a : [0]a
}

module impl : s = {
  def size = \xs -> length xs
  def same = \x -> x
  def empty = []
}

module use (P: s) = {
  def count = \xs -> P.size (P.empty ++ xs)
  def pass = P.same
}

module u = use impl

entry functor (xs: []i32) = (u.count xs, u.pass xs)

def record = {inner = {ap = \f x -> f x}, k = (\x _ -> x, \_ y -> y)}

entry nested = (record.inner.ap (+ 1i32) 2, record.k.0 4f32 true, record.k.1 4f32 true)

def doubled = map (\f -> f) >-> map (* 2i32)
def squares = map (\x -> f32.(x * x))

entry pipes (xs: []i32) = (doubled xs, squares [3f32])

type opt 't = #none | #some t
def none : opt i32 = #none
def some = \x : opt i32 -> #some x

def get (d: i32) (x: opt i32) = match x case #none -> d case #some y -> y

entry sums = (get 1 none, get 1 (some 2))

def blank = []
def table : [][3]i32 = blank

entry empties = (length table, length (blank ++ [1f32, 2, 3]))
