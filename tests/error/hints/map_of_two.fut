-- Two arrays for map.
-- at 6
-- ==
-- error: "map2" is for 2 arrays

def f [n] (xs: [n]i32) (ys: [n]i32) = map (+) xs ys
