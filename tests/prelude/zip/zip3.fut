-- Triples of elements.
-- ==
-- input { [1, 2] [3, 4] [5, 6] } output { [9, 12] [1, 2] [3, 4] [5, 6] }
entry main [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) =
  let z = zip3 a b c
  let (x, y, w) = unzip3 z
  in (map (\(p, q, r) -> p + q + r) z, x, y, w)
