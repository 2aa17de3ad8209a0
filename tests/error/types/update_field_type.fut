-- An update changes a field's type.
-- at 6
-- ==
-- error: does not have the type of what it replaces

def f (r: {a: i32}) = r with a = true
