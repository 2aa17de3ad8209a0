-- Functions of pairs and of two arguments.
-- ==
-- input { 7 2 } output { 5 5 }
entry main (x: i32) (y: i32) = (curry (\(a, b) -> a - b) x y, uncurry (-) (x, y))
