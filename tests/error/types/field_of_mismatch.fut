-- A mismatch inside of tuples and records is found by the fields on the way.
-- at 6 7 8
-- ==
-- error: When matching the types of field (1|a\.0|1\.b\.c)\.

def a : (i32, bool) = (1, 2i32)
def b (r: {a: (i32, i32), b: bool}) : {a: (f32, i32), b: bool} = r
def c (f: (i32, {b: {c: i32}}) -> i32) (x: (i32, {b: {c: bool}})) = f x
