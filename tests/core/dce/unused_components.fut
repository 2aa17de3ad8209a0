-- A loop parameter that only feeds itself is dropped, with what computes it.
-- structure dce: prim 1, loop 1
-- ==
-- input { 3i32 } output { 8i32 }
entry main (n: i32) : i32 =
  let (a, _, _) = loop (a, b, c) = (1, 1, 2) for _i < n do (a * 2, b * c, c + b)
  in a
