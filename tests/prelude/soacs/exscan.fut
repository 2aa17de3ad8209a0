-- Exclusive prefixes.
-- ==
-- input { [1, 2, 3] } output { [0, 1, 3] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry main (xs: []i32) = exscan (+) 0 xs
