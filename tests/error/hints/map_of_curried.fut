-- A lambda of a lambda for map.
-- at 6
-- ==
-- error: "map2 f \.\.\." is for 2 arrays; for one array of tuples write "map \(\\\(x, y\) -> \.\.\.\) \.\.\."

def f = map (\x -> \y -> x + y) [1, 2]
