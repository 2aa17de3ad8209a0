-- The order of fields is irrelevant.
type point = {x: i32, y: i32}
def f (p: point) = p.x - p.y
-- ==
-- input { 3 1 } output { 2 }
entry main (a: i32) (b: i32) = f {y = b, x = a}
