-- A dictionary.
-- at 6
-- ==
-- error: a record has names for its fields

def f (x: f64) = {"a": x}
