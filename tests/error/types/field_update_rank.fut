-- The sizes of a field may change, its rank may not.
-- ==
-- error: record field
def f [n] (r: {a: [n]i32}) = r with a = [r.a]
