-- Pairs of elements.
-- ==
-- input { [1, 2] [true, false] } output { [1, 2] [true, false] }
entry main [n] (xs: [n]i32) (ys: [n]bool) = unzip (zip xs ys)

-- ==
-- entry: swap
-- input { [1, 2] [3.0, 4.0] } output { [3.0, 4.0] [1, 2] }
entry swap [n] (xs: [n]i32) (ys: [n]f64) = unzip2 (map (\(a, b) -> (b, a)) (zip2 xs ys))
