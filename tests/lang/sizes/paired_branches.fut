-- The same pair of sizes in both branches is one unknown size.
def pick (b: bool) = if b then ([1i32], [2i32]) else ([1, 2], [3, 4])
-- ==
-- input { true } output { [3] }
-- input { false } output { [4, 6] }
entry main (b: bool) = let (x, y) = pick b in map2 (+) x y
