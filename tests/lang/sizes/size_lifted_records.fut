-- Records that hide sizes.
type~ dyn = {n: i64, xs: []i32}
def make (n: i64) : dyn = {n, xs = replicate n 1}
def bump (d: dyn) : dyn = d with xs = map (+ 1) d.xs
def total (d: dyn) = i32.sum d.xs
-- ==
-- input { 3i64 } output { 6 [1, 1, 1] }
entry main (n: i64) = (total (bump (make n)), (make n).xs)
