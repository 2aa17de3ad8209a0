-- A branch that updates an array and one that returns it as it is.
-- ==
-- input { true [1, 2] } output { [5, 3] }
-- input { false [1, 2] } output { [1, 3] }
entry main (b: bool) (xs: *[]i32) =
  let xs = if b then xs with [0] = 5 else xs
  let ys = match xs[0]
           case 7 -> xs with [0] = 0
           case _ -> xs
  in ys with [1] = 3
