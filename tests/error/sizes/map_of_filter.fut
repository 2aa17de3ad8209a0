-- A function with unknown result size is mapped.
-- at 6
-- ==
-- error: would be instantiated with a type containing anonymous sizes

def e6 [n] [m] (xss: [n][m]i32) = map (filter (> 0)) xss
