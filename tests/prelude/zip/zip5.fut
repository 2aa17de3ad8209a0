-- Quintuples of elements.
-- ==
-- input { [1, 2] [3, 4] } output { [1, 2] [3, 4] [1, 2] [3, 4] [1, 2] }
entry main [n] (a: [n]i32) (b: [n]i32) = unzip5 (zip5 a b a b a)
