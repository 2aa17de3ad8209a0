-- The value of an update may read what is updated.
-- ==
-- entry: field
-- input { [1,2] } output { [2,2] }

-- ==
-- entry: idx
-- input { [1i64,0i64,5i64] } output { [7i64,0i64,5i64] }

-- ==
-- entry: chain
-- input { [1,2,3] } output { [3,1,2] }

-- ==
-- entry: slice
-- input { [1,2,3,4] } output { [4,3,3,4] }
def upd (xs: *[]i32) : *[]i32 = xs with [0] = 9
entry field (a: *[]i32) = let r = {x = a, y = 1i32} in (r with x[0] = r.x[1]).x
entry idx (a: *[]i64) = (a with [a[1]] = a[0] + 1) with [0] = a[2] + 2
entry chain (a: *[3]i32) = ((a with [0] = a[2]) with [1] = a[0]) with [2] = a[1]
entry slice (a: *[4]i32) = copy a with [0:2] = copy (reverse a[2:4])
