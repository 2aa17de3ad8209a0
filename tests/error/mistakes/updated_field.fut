-- Updated field.
-- at 6
-- ==
-- error: record field "f"

def f (r: {f: i32, g: bool}) = r with f = true
