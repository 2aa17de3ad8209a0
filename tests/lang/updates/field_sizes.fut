-- An update of a field gives the record whatever size the new value has.
type box [n] = {label: i32, cells: [n]f64}

def grow [n] (b: box [n]) : box [n + 1] = b with cells = b.cells ++ [0]

-- ==
-- entry: growing
-- input { [1f64, 2f64] } output { [1f64, 2f64, 0f64] }
entry growing [n] (cells: [n]f64) = (grow {label = 1, cells}).cells

def shrink [n] (p: ([n]i32, bool)) = p with 0 = filter (> 0) p.0

-- ==
-- entry: tuple
-- input { [1, -1, 2] } output { [1, 2] }
entry tuple (xs: []i32) = (shrink (xs, true)).0

def swap [n] [m] (r: {a: {b: [n]i32}, c: i32}) (ys: [m]i32) : {a: {b: [m]i32}, c: i32} =
  let r.a.b = ys
  in r

-- ==
-- entry: path
-- input { [1, 2] [3] } output { [3] }
entry path [n] [m] (xs: [n]i32) (ys: [m]i32) = (swap {a = {b = xs}, c = 1} ys).a.b

module type stack = {
  type~ t
  val empty : () -> t
  val push : i64 -> t -> t
  val depth : t -> i64
  val top : t -> i64
}

module stack : stack = {
  type~ t = {items: []i64, pushed: i32}
  def empty () : t = {items = [], pushed = 0}
  def push x (s: t) = s with items = s.items ++ [x] with pushed = s.pushed + 1
  def depth (s: t) = length s.items
  def top (s: t) = last s.items
}

-- ==
-- entry: abstract
-- input { 4i64 } output { 2i64 4i64 }
entry abstract (x: i64) =
  let s = stack.empty () |> stack.push 1 |> stack.push x
  in (stack.depth s, stack.top s)

-- The other fields keep their sizes: both columns can still be zipped.
-- ==
-- entry: others
-- input { [1, 2, 3] [4, 5, 6] } output { [5, 7, 9] 2i64 }
entry others [n] (xs: [n]i32) (ys: [n]i32) =
  let r = {xs, ys, zs = xs}
  let r.zs = take 2 ys
  in (map2 (+) r.xs r.ys, length r.zs)

-- A field that is an array of records: the path goes on with an index, and the size stays.
-- ==
-- entry: index
-- input { [1, 2, 3] } output { [1, 9, 3] }
entry index [n] (xs: *[n]i32) : [n]i32 =
  let r = {xs = copy xs, k = 1i64}
  let r.xs[r.k] = 9
  in r.xs

-- A loop whose state grows.
-- ==
-- entry: looped
-- input { 3i64 } output { [0i64, 1i64, 2i64] 3i64 }
entry looped (k: i64) =
  let s = loop s = {xs = [] : []i64, n = 0i64} for i < k do
    s with xs = s.xs ++ [i] with n = s.n + 1
  in (s.xs, s.n)

-- A matrix: two sizes change at once.
-- ==
-- entry: matrix
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }
entry matrix [n] [m] (xss: [n][m]i32) : [m][n]i32 =
  let r = {m = xss, name = 1i32}
  in (r with m = transpose r.m).m
