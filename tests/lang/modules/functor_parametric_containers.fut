-- Parametric size-lifted types of functors' parameters: of two type parameters, of sums, of records
-- of several arrays, nested in each other, kept in loops and given back.
-- ==
-- entry: dictionaries
-- input { [3, 1, 2] } output { 3i64 20 [3, 1, 2] }

-- ==
-- entry: stacks
-- input { [1, 2, 3] } output { 2i64 3 [1, 2] }

-- ==
-- entry: nested
-- input { [1, 2] } output { 2i64 6 }

module type dict = {
  type~ t 'k 'v
  val mk [n] 'k 'v : [n]k -> [n]v -> t k v
  val keys 'k 'v : t k v -> []k
  val find 'v : t i32 v -> i32 -> v -> v
}

module by_arrays : dict = {
  type~ t 'k 'v = {ks: []k, vs: []v}
  def mk [n] 'k 'v (ks: [n]k) (vs: [n]v) : t k v = {ks, vs}
  def keys 'k 'v (d: t k v) = d.ks
  def find 'v (d: t i32 v) (k: i32) (default: v) =
    loop r = default for i < length d.ks do
      if d.ks[i] == k && i < length d.vs then d.vs[i] else r
}

module use (d: dict) = {
  type~ named = d.t i32 i32
  def make [n] (xs: [n]i32) : named = d.mk xs (map (* 10) xs)
  def get (m: named) (k: i32) = d.find m k (-1)
  def size (m: named) = length (d.keys m)
}

module u = use by_arrays

entry dictionaries (xs: []i32) =
  let m = u.make xs
  in (u.size m, u.get m 2, by_arrays.keys (by_arrays.mk xs xs))

module type stack = {
  type~ t 'a
  val empty 'a : a -> t a
  val push 'a : a -> t a -> t a
  val pop 'a : t a -> (t a, a)
  val size 'a : t a -> i64
  val all 'a : t a -> []a
}

module lists : stack = {
  type~ t 'a = {items: []a, bottom: a}
  def empty 'a (x: a) : t a = {items = [], bottom = x}
  def push 'a (x: a) (s: t a) : t a = s with items = s.items ++ [x]
  def pop 'a (s: t a) : (t a, a) =
    let n = length s.items
    in if n == 0 then (s with items = s.items[0:0], s.bottom)
       else (s with items = s.items[0:n - 1], s.items[n - 1])
  def size 'a (s: t a) = length s.items
  def all 'a (s: t a) = s.items
}

module pushes (s: stack) = {
  def from [n] 'a (z: a) (xs: [n]a) : s.t a = loop st = s.empty z for x in xs do s.push x st
}

module l = pushes lists

entry stacks (xs: []i32) =
  let (s, x) = lists.pop (l.from 0 xs)
  in (lists.size s, x, lists.all s)

-- a functor of a functor's result
module twice (s: stack) = {
  module inner = pushes s
  type~ both 'a = (s.t a, s.t a)
  def mk [n] 'a (z: a) (xs: [n]a) : both a = (inner.from z xs, s.push z (inner.from z xs))
  def sizes 'a (b: both a) = s.size b.0 + 1 + s.size b.1 - s.size b.1
}

module t = twice lists

entry nested (xs: []i32) =
  let b = t.mk 9 xs
  in (t.sizes b - 1, i32.sum (lists.all b.0) + i32.i64 (lists.size b.1))
