-- A constant cannot be unique.
-- at 6
-- ==
-- error: A top-level constant cannot have a unique type

def xs : *[3]i32 = [1, 2, 3]
