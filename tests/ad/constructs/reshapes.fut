-- Concatenation, transposition, slices and so on.
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[10.0, 6.0], [6.0, 6.0]] }
entry main (x: [2][2]f64) =
  let f (a: [2][2]f64) =
    let b = flatten (transpose a)
    let c = b[::-1] ++ rotate 1 b
    in f64.sum (map2 (*) c (map f64.i64 (indices c)))
  in vjp f x 1
