-- Empty arrays.
-- ==
-- input { } output { empty([0]i32) empty([0][3]f64) }
entry main : ([0]i32, [0][3]f64) = ([], [])

-- ==
-- entry: polymorphic
-- input { } output { 0i64 }
def emp 't : [0]t = []
entry polymorphic = length (emp : [0]i32)
