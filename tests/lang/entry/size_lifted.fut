-- Entry points may take and give values of abstract types that hide sizes.
-- ==
-- entry: sum_of
-- script input { make [1i32, 2i32, 3i32] } output { 6 }
module type bag = {
  type~ t
  val of_array [n] : [n]i32 -> t
  val total : t -> i32
}

module bag : bag = {
  type~ t = ?[n].[n]i32
  def of_array xs = xs
  def total xs = i32.sum xs
}

entry make (xs: []i32) : bag.t = bag.of_array xs
entry sum_of (b: bag.t) : i32 = bag.total b

module two : {
  type~ t
  type~ dict 'v
  val mk [n] [m] : [n]i32 -> [m]f64 -> t
  val grow : t -> t
  val sizes : t -> (i64, i64)
  val pick : bool -> t -> t -> t
  val single 'v : v -> dict v
  val more 'v : v -> dict v -> dict v
  val size 'v : dict v -> i64
} = {
  type~ t = {xs: []i32, more: {ys: []f64}}
  type~ dict 'v = {keys: []i64, values: []v}
  def mk [n] [m] (xs: [n]i32) (ys: [m]f64) : t = {xs, more = {ys}}
  def grow (x: t) : t = {xs = x.xs ++ [1], more = {ys = x.more.ys ++ x.more.ys}}
  def sizes (x: t) = (length x.xs, length x.more.ys)
  def pick (b: bool) (x: t) (y: t) : t = if b then x else y
  def single 'v (v: v) : dict v = {keys = [0], values = [v]}
  def more 'v (v: v) (d: dict v) : dict v =
    {keys = d.keys ++ [length d.keys], values = d.values ++ [v]}
  def size 'v (d: dict v) = length d.keys + length d.values
}

entry mk [n] [m] (xs: [n]i32) (ys: [m]f64) : two.t = two.mk xs ys
entry grow (x: two.t) : two.t = two.grow x
entry pick (b: bool) (x: two.t) (y: two.t) : two.t = two.pick b x y

-- ==
-- entry: sizes
-- script input { grow (grow (mk [1i32] [1f64, 2f64, 3f64])) } output { 3i64 12i64 }
-- script input { pick false (mk [1i32] [1f64]) (grow (mk [1i32] [1f64])) } output { 2i64 2i64 }
entry sizes (x: two.t) = two.sizes x

entry one (b: bool) : two.dict bool = two.single b
entry more (x: i32) (d: two.dict (i32, bool)) : two.dict (i32, bool) = two.more (x, true) d
entry none (x: i32) : two.dict (i32, bool) = two.single (x, false)

-- ==
-- entry: size_of_bools
-- script input { one true } output { 2i64 }
entry size_of_bools (d: two.dict bool) = two.size d

-- ==
-- entry: size_of_pairs
-- script input { more 4i32 (more 3i32 (none 1i32)) } output { 6i64 }
entry size_of_pairs (d: two.dict (i32, bool)) = two.size d
