-- Entry points with size-lifted abstract types: records, pairs.
-- ==
-- entry: total
-- script input { (push 3i32 (push 4i32 (none 0i32))) } output { 7 }

-- ==
-- entry: pair
-- script input { (two [1i32, 2i32] [3i32]) } output { 2i64 1i64 }

module type stack = {
  type~ t
  val empty : () -> t
  val push : i32 -> t -> t
  val sum : t -> i32
}

module stack : stack = {
  type~ t = {items: []i32, n: i64}
  def empty () = {items = [] : []i32, n = 0i64}
  def push x (s: t) = {items = [x] ++ s.items, n = s.n + 1}
  def sum (s: t) = i32.sum s.items
}

entry none (_: i32) : stack.t = stack.empty ()
entry push (x: i32) (s: stack.t) : stack.t = stack.push x s
entry total (s: stack.t) = stack.sum s

module type both = { type~ p val mk [n][m] : [n]i32 -> [m]i32 -> p val lens : p -> (i64, i64) }
module both : both = {
  type~ p = ?[n][m].([n]i32, [m]i32)
  def mk a b = (a, b)
  def lens (a, b) = (length a, length b)
}
entry two (a: []i32) (b: []i32) : both.p = both.mk a b
entry pair (p: both.p) = both.lens p
