-- A record pattern lists all fields.
-- at 6
-- ==
-- error: unshared fields: b

def f (r: {a: i32, b: i32}) = let {a} = r in a
