-- Quotient and remainder of a flat index are in range.
-- structure soac: assert 1, screma 1
-- structure soac,nest_flat: assert 1, screma 2
-- ==
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] }
entry main [n][m] (a: [n][m]i32) : []i32 = map (\i -> a[i / m, i % m]) (iota (n * m))
