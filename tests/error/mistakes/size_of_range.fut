-- Size of range.
-- at 6
-- ==
-- error: "d" is unknown length of range at

def f [n] (xs: [n]i32) (k: i32) = map2 (+) xs (0..<k)
