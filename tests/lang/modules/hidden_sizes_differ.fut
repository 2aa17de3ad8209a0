-- Values of one abstract type have hidden sizes of their own: as arguments of one call, results of
-- branches and loops, parts of records, and inside of functors.
-- ==
-- entry: main
-- input { 2i64 3i64 } output { 2i64 3i64 3i64 2i64 5i64 28i64 }
module type box = {
  type~ t
  val mk : i64 -> t
  val len : t -> i64
  val join : t -> t -> t
}

module box : box = {
  type~ t = {xs: []i64, ys: []i64}
  def mk (n: i64) : t = {xs = iota n, ys = iota (n + 1)}
  def len (x: t) = length x.xs
  def join (x: t) (y: t) : t = {xs = x.xs ++ y.xs, ys = x.ys ++ y.ys}
}

#[noinline]
def lens (x: box.t) (y: box.t) = (box.len x, box.len y)

def swap (p: (box.t, box.t)) = (p.1, p.0)

def twice (k: i64) (x: box.t) (y: box.t) : i64 =
  if k == 0 then box.len x + box.len y else twice (k - 1) (box.join x y) y

entry main (n: i64) (m: i64) =
  let (x, y) = (box.mk n, box.mk m)
  let (a, b) = lens x y
  let (c, d) = let (q, p) = swap (x, y) in lens q p
  let z = if n < m then y else x
  let w = loop w = x for i < 3 do if i % 2 == 0 then box.join w z else box.join w x
  in (a, b, c, d, twice 0 x y, twice 4 z z + box.len w)

module pairs (B: box) = {
  #[noinline]
  def first (x: B.t) (_: B.t) = B.len x
  def all (n: i64) = (first (B.mk n) (B.mk (n + 1)), first (B.mk (n + 1)) (B.mk n))
}

module p = pairs box
module q = pairs {
  type~ t = []i64
  def mk (n: i64) : t = iota n
  def len (x: t) = length x
  def join (x: t) (y: t) : t = x ++ y
}

-- ==
-- entry: in_functors
-- input { 4i64 } output { 4i64 5i64 4i64 5i64 }
entry in_functors (n: i64) = let (a, b) = p.all n let (c, d) = q.all n in (a, b, c, d)

