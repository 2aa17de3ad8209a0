-- Two values that go the same way are one.
-- structure soac: loop 1, prim 2
-- ==
-- input { 5i64 } output { 486i64 }
entry main (n: i64) : i64 =
  let (a, b) = loop (a, b) = (1i64, 1i64) for _i < n do (a * 3, a * 3)
  in a + b
