-- A closure is used before what it captures is consumed.
-- ==
-- input { [1, 2] } output { 1 [5, 2] }
entry main (xs: *[]i32) =
  let first () = xs[0]
  let x = first ()
  in (x, xs with [0] = 5)
