-- The new value of an update is evaluated before what is updated, and may read what that consumes.
-- ==
-- entry: main
-- input { [1, 2, 3] } output { [3, 2, 1] }

-- ==
-- entry: call
-- input { [1, 2] } output { [2, 1] }

-- ==
-- entry: thrice
-- input { [1, 2, 3] } output { [3, 1, 2] }

-- ==
-- entry: branch
-- input { true [1, 2] } output { [0, 1] }
-- input { false [1, 2] } output { [1, 1] }

-- ==
-- entry: index
-- input { [1i64, 0i64] } output { [0i64, 7i64] }

-- ==
-- entry: field
-- input { [1, 2] } output { [10, 3] }

entry main (a: *[3]i32) = (a with [0] = a[1] + 1) with [2] = a[0]

def bump (xs: *[]i32) : *[]i32 = xs with [0] = xs[0] + 1

entry call (a: *[]i32) = bump a with [1] = a[0]

entry thrice (a: *[3]i32) = ((a with [0] = a[2]) with [1] = a[0]) with [2] = a[1]

entry branch (b: bool) (a: *[2]i32) = (if b then a with [0] = 0 else a) with [1] = a[0]

entry index (a: *[2]i64) = (a with [0] = 0) with [a[0]] = 7

entry field (a: *[2]i32) =
  ({x = a with [0] = 10, y = 1i32} with x[1] = a[0] + a[1]).x
