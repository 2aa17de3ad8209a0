-- The hidden sizes of a parametric type may be those of a sum's payload, of functions' results and
-- of an argument that has sizes itself.
-- ==
-- entry: sums
-- input { [1, 2] } output { 2i64 0i64 }

-- ==
-- entry: of_arrays
-- input { [[1, 2], [3, 4], [5, 6]] } output { 3i64 [1, 2] }

-- ==
-- entry: in_branches
-- input { true [1] } output { 1i64 }
-- input { false [1] } output { 2i64 }

module type some = {
  type~ t 'a
  val none 'a : i64 -> t a
  val some [n] 'a : [n]a -> t a
  val count 'a : t a -> i64
}

module opt : some = {
  type~ t 'a = #none i64 | #some ([]a)
  def none 'a (k: i64) : t a = #none k
  def some [n] 'a (xs: [n]a) : t a = #some xs
  def count 'a (x: t a) = match x case #none _ -> 0 case #some xs -> length xs
}

module use (o: some) = {
  def pair [n] (xs: [n]i32) = (o.count (o.some xs), o.count (o.none 3 : o.t bool))
  def pick [n] (c: bool) (xs: [n]i32) = if c then o.some xs else o.some (xs ++ xs)
}

module u = use opt

entry sums (xs: []i32) = u.pair xs
entry in_branches c (xs: []i32) = opt.count (u.pick c xs)

module rows (P: {type~ bag 'a val mk [n] 'a : [n]a -> bag a val first 'a : bag a -> a val size 'a : bag a -> i64}) = {
  def use [n] [m] (xss: [n][m]i32) : (i64, [m]i32) =
    let b = P.mk xss
    in (P.size b, P.first b)
}

module r = rows {
  type~ bag 'a = ?[n].{items: [n]a, mark: [n]bool}
  def mk [n] 'a (items: [n]a) : bag a = {items, mark = replicate n true}
  def first [n] 'a (b: {items: [n]a, mark: [n]bool}) = b.items[0]
  def size [n] 'a (_: {items: [n]a, mark: [n]bool}) = n
}

entry of_arrays (xss: [][]i32) = r.use xss
