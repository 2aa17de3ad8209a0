-- Sums and products of sizes associate.
def f [a][b][c] (x: [a + (b + c)]i32) (_: [a]i32) (_: [b]i32) (_: [c]i32) : [(a + b) + c]i32 = x
-- ==
-- input { [1] [2, 3] [4] } output { [1, 2, 3, 4] }
entry main [a][b][c] (x: [a]i32) (y: [b]i32) (z: [c]i32) = f (x ++ (y ++ z)) x y z
