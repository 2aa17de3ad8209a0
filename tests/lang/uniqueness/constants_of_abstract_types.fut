-- A result may be a constant as far as an abstract type hides what it holds, in a sum as elsewhere.
-- ==
-- entry: best
-- input { [3i32, 9i32, 2i32] } output { 9i32 1i64 }
-- input { empty([0]i32) } output { -1i32 -1i64 }

-- ==
-- entry: nothing
-- input { } output { true }

module type semigroup = {
  type t
  val <> : t -> t -> t
}

module optional (S: semigroup) = {
  type t = #none | #some S.t
  def zero : t = #none
  def (<>) (a: t) (b: t) : t =
    match (a, b)
    case (#none, _) -> b
    case (_, #none) -> a
    case (#some x, #some y) -> #some (x S.<> y)
  def all [n] (xs: [n]S.t) : t = reduce (<>) zero (map (\x -> #some x) xs)
  def start () = zero
}

module greatest : semigroup with t = (i32, i64) = {
  type t = (i32, i64)
  def (<>) (a: t) (b: t) = if a.0 > b.0 then a else b
}

module opt_best = optional greatest

entry best [n] (xs: [n]i32) : (i32, i64) =
  match opt_best.all (zip xs (iota n))
  case #none -> (-1, -1)
  case #some p -> p

entry nothing : bool =
  match opt_best.start ()
  case #none -> true
  case #some _ -> false
