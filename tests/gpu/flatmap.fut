-- Irregular maps: many rows, few rows, rows that fail, several arrays.
-- ==
-- entry: main
-- input { [2i64, 0i64, 3i64] } output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) }
entry main (xs: []i64) = flatmap' iota xs
-- ==
-- entry: uniform
-- input { [3i64, 1i64] }
-- output { [2i64, 0i64] [true, false] [0i64, 2i64] [1i64, 2i64] [30i64, 10i64] }
entry uniform (xs: []i64) = flatmap (\x -> (filter (> 0) (iota x), x * 10)) xs
-- ==
-- entry: sums
-- input { 1000i64 } output { 3597i64 7i64 }
entry sums (n: i64) =
  let (_, _, _, ys, us) = flatmap (\i -> (map (\j -> (i * j) % 7) (iota (i % 5)), i % 3)) (iota n)
  in (i64.sum ys, us[55] + length us % 7)
-- ==
-- entry: negative
-- input { [1i64, -1i64, 2i64] } error: is invalid
-- input { [-1i64] } error: is invalid
entry negative (xs: []i64) = (flatmap' (\x -> if x > 5 then [1,2] else iota x) xs).3
-- Rows of several arrays, and arrays as elements.
-- ==
-- entry: arrays
-- input { 200i64 } output { true }
entry arrays (n: i64) =
  let (_, _, _, ys) = flatmap' (\i -> map (\j -> ([i, j, i * j], i - j)) (iota (i % 4))) (iota n)
  let zs = loop zs = [] for i < n do zs ++ map (\j -> ([i, j, i * j], i - j)) (iota (i % 4))
  in length ys == length zs
     && and (map (\k -> and (map2 (==) ys[k].0 zs[k].0) && ys[k].1 == zs[k].1) (indices ys))
