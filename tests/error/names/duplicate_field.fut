-- A record has a field twice.
-- at 6
-- ==
-- error: Duplicate fields: "a" is also defined at

def f = {a = 1i32, a = 2i32}
