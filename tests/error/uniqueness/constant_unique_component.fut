-- Nor can a component of one.
-- at 6
-- ==
-- error: A top-level constant cannot have a unique type

def xs : (*[3]i32, i32) = ([1, 2, 3], 0)
