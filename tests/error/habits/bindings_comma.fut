-- Two bindings in one let.
-- at 6
-- ==
-- error: each binding starts with its own "let"

def f (x: f64) = let y = x, z = 2 in y + z
