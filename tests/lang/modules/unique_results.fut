-- A result that is unique in some part fits one that is unique as a whole; unique results fit where
-- others are asked for.
-- ==
-- input { [1, 2] } output { [9, 2] [8, 1] [1, 2] }
module type s = {
  val f [n] : *[n]i32 -> *([n]i32, [n]i32)
  val g [n] : [n]i32 -> [n]i32
  val h [n] : *[n]i32 -> [n]i32 -> *([n]i32, [n]i32)
}

module m : s = {
  def f [n] (xs: *[n]i32) : (*[n]i32, [n]i32) = (xs, replicate n 1)
  def g [n] (xs: [n]i32) : *[n]i32 = copy xs
  #[noinline]
  def h [n] (xs: *[n]i32) (ys: [n]i32) : (*[n]i32, [n]i32) = (xs, ys)
}

entry main (xs: []i32) =
  let (a, b) = m.f (copy xs)
  let a[0] = 9
  let b[0] = 8
  let ys = m.g xs
  let (_, c) = m.h (copy xs) ys
  let c[0] = 7
  in (a, b, ys)
