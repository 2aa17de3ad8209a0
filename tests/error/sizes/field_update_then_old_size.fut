-- After the update of a field the record has the size of the new value, not the old one.
-- ==
-- error: do not match
def f [n] (r: {a: [n]i32}) (ys: [n]i32) = map2 (+) (r with a = filter (> 0) r.a).a ys
