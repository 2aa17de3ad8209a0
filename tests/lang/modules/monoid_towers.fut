-- Monoids built from monoids.
module type monoid = { type t val ne : t val op : t -> t -> t }
module add_i32 = { type t = i32 def ne = 0i32 def op = (i32.+) }
module max_f32 : monoid with t = f32 = {
  type t = f32
  def ne = f32.lowest
  def op = f32.max
}
module pair (A: monoid) (B: monoid) : monoid with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def ne = (A.ne, B.ne)
  def op (a: t) (b: t) : t = (A.op a.0 b.0, B.op a.1 b.1)
}
module fn (A: monoid) (R: { val n : i64 }) : monoid with t = [R.n]A.t = {
  type t = [R.n]A.t
  def ne = replicate R.n A.ne
  def op (a: t) (b: t) : t = map2 A.op a b
}
module opt (A: monoid) : monoid with t = (#none | #some A.t) = {
  type t = #none | #some A.t
  def ne : t = #none
  def op (a: t) (b: t) : t =
    match (a, b)
    case (#none, y) -> y
    case (x, #none) -> x
    case (#some x, #some y) -> #some (A.op x y)
}
module fold (M: monoid) = {
  def fold [n] (xs: [n]M.t) = reduce M.op M.ne xs
  def pre [n] (xs: [n]M.t) = scan M.op M.ne xs
  def mapfold 'a [n] (f: a -> M.t) (xs: [n]a) = fold (map f xs)
}
module three = { def n = 3i64 }
module two = { def n = 2i64 }
module f1 = fold (pair add_i32 max_f32)
module f2 = fold (fn add_i32 three)
module f3 = fold (opt add_i32)
module f4 = fold (pair (opt add_i32) (fn max_f32 two))

-- ==
-- entry: a
-- input { } output { 9i32 4f32 }
entry a = f1.fold [(1, 2), (3, 4), (5, 0.5)]

-- ==
-- entry: b
-- input { } output { [0i32, 11i32, 22i32] }
entry b = f2.fold (map (\k -> map (\i -> k * i32.i64 i) (iota three.n)) [1, 10])

-- ==
-- entry: c
-- input { } output { 7i32 true }
entry c : (i32, bool) =
  match f3.fold [#none, #some 3, #none, #some 4]
  case #none -> (0, false)
  case #some x -> (x, true)

-- ==
-- entry: d
-- input { } output { [-1i32, 3i32, 3i32, 7i32] }
entry d =
  f3.pre [#none, #some 3, #none, #some 4]
  |> map (\x -> match x case #none -> -1 case #some v -> v)

-- ==
-- entry: e
-- input { } output { 6i32 [4f32, 3f32] }
entry e =
  let (o, v) = f4.mapfold
                 (\i ->
                    ( if i % 2 == 0 then #some (i32.i64 i) else #none
                    , map (\j -> f32.i64 (i - j)) (iota two.n)
                    ))
                 (iota 5)
  in (match o case #some s -> s case #none -> 99, v)
