-- Size-polymorphic recursion.
def len [n] (xs: [n]i32) : i32 = if n == 0 then 0 else 1 + len xs[1:]
def sum_halves [n] (xs: [n]i32) : i32 =
  if n == 0 then 0 else if n == 1 then xs[0]
  else let h = n / 2 in sum_halves xs[:h] + sum_halves xs[h:]
-- ==
-- input { [5, 6, 7] } output { 3 18 }
entry main (xs: []i32) = (len xs, sum_halves xs)
