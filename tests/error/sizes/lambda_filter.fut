-- A lambda with existential result is no argument of map.
-- ==
-- error: would be instantiated with a type containing anonymous sizes
def f [n] (xss: [n][n]i64) = map (\xs -> filter (> 0) xs) xss
