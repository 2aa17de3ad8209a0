-- Functions that take consuming functions.
def twice 'a (f: *a -> *a) (x: *a) : *a = f (f x)
def bump (v: *[2]i32) : *[2]i32 = let x = v[0] in v with [0] = x + 1
-- ==
-- input { 3 } output { [5, 3] }
entry main (x: i32) = twice bump [x, x]
