-- == for a binding.
-- at 6
-- ==
-- error: "==" compares; a name is bound by "="

def f (x: f64) = let y == x in y
