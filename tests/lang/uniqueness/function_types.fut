-- Function types that consume.
def ap 'a 'b (f: *a -> b) (x: *a) : b = f x
-- ==
-- input { [1, 2] } output { [9, 2] }
entry main (xs: *[2]i32) = ap (\(a: *[2]i32) -> a with [0] = 9) xs
