-- A result of which one part is not declared unique fits one that is unique as a whole, if there is
-- nothing that the part could alias; unique results fit where others are asked for.
-- ==
-- input { [1, 2] } output { [9, 2] [8, 1] [1, 2] }
module type s = {
  val f [n] : *[n]i32 -> *([n]i32, [n]i32)
  val g [n] : [n]i32 -> [n]i32
}

module m : s = {
  def f [n] (xs: *[n]i32) : (*[n]i32, [n]i32) = (xs, replicate n 1)
  def g [n] (xs: [n]i32) : *[n]i32 = copy xs
}

entry main (xs: []i32) =
  let (a, b) = m.f (copy xs)
  let a[0] = 9
  let b[0] = 8
  let ys = m.g xs
  in (a, b, ys)
