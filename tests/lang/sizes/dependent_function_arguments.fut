-- Function arguments whose results depend on their arguments.
def make (f: (n: i64) -> [n]i32) : [3]i32 = f 3
def at (n: i64) (f: i64 -> [n]i32) : [n]i32 = f n
-- ==
-- input { 5 } output { [5, 5, 5] [5, 2] }
entry main (x: i32) = (make (\n -> replicate n x), at 2 (\k -> [x, i32.i64 k]))
