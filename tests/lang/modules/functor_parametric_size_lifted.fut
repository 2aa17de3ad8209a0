-- A parametric size-lifted type of a functor's parameter: sizes that its implementation hides are
-- found from arguments, whatever the implementation is and however polymorphic its functions are.
-- ==
-- entry: main
-- input { [1, 2, 3] } output { 3i64 }
module count (P: {type~ bag 'a val size 'a : bag a -> i64}) = {
  def of_ints (b: P.bag i32) = P.size b
}

module c = count {type~ bag 'a = {items: []a} def size 'a (b: bag a) = length b.items}

entry main (items: []i32) = c.of_ints {items}

module type collection = {
  type~ t 'a
  val of_array [n] 'a : [n]a -> t a
  val size 'a : t a -> i64
  val join 'a : t a -> t a -> t a
  val each 'a 'b : (a -> b) -> t a -> t b
  val pair 'a 'b : t a -> t b -> (t a, t b)
}

module use (C: collection) = {
  def twice 'a (xs: C.t a) = C.join xs xs
  def sizes [n] (xs: [n]i32) =
    let c = C.of_array xs
    let (p, q) = C.pair (twice c) (C.each (> 0) c)
    in (C.size p, C.size q, C.size (twice (C.each f64.i32 c)))
}

module exists = {
  type~ t 'a = ?[n].[n]a
  def of_array [n] 'a (xs: [n]a) : t a = xs
  def size [n] 'a (_: [n]a) = n
  def join [n] [m] 'a (xs: [n]a) (ys: [m]a) : t a = xs ++ ys
  def each [n] 'a 'b (f: a -> b) (xs: [n]a) : t b = map f xs
  def pair 'p 'q (x: p) (y: q) = (x, y)
}

module two_arrays = {
  type~ t 'a = ([]a, []i32)
  def of_array 'a [n] (xs: [n]a) : t a = (xs, [1, 2])
  def size 'a (x: t a) = length x.0 * 100 + length x.1
  def join 'a (x: t a) (y: t a) : t a = (x.0 ++ y.0, x.1 ++ y.1)
  def each 'a 'b (f: a -> b) (x: t a) : t b = (map f x.0, x.1)
  def pair '~p '~q (x: p) (y: q) = (x, y)
}

module u = use exists
module v = use two_arrays

-- ==
-- entry: of_collections
-- input { [1, 2, 3] } output { 6i64 3i64 6i64 604i64 302i64 604i64 }
entry of_collections (xs: []i32) =
  let (a, b, c) = u.sizes xs
  let (d, e, f) = v.sizes xs
  in (a, b, c, d, e, f)

module sealed : collection = two_arrays
module w = use sealed

module again (C: collection) = {module inner = use C}
module x = again exists

-- ==
-- entry: behind_signatures
-- input { [1, 2, 3] } output { 604i64 6i64 }
entry behind_signatures (xs: []i32) = ((w.sizes xs).0, (x.inner.sizes xs).0)

