-- Several sizes.
-- at 7 8
-- ==
-- error: Sizes "n" and "m" do not match.*Sizes "m" and "n" do not match

def f [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let a = zip xs ys
  let b = zip ys xs
  in (a, b)
