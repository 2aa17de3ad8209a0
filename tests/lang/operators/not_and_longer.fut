-- Operators that begin with "!" can be defined.
-- ==
-- input { 5 3 } output { 2 16 false }
def (!!) (x: i32) (y: i32) = x - y
def x !+ y = (x + y) * 2i32
entry main (x: i32) (y: i32) = (x !! y, x !+ y, !(x > y))
