-- Recursion without end is an error, and what comes after it runs.
-- ==
-- entry: main
-- input { -1i64 } error: Stack overflow: recursion of "[a-z_]*" too deep
-- input { 10i64 } output { 10i64 }
-- input { -2i64 } error: Stack overflow: recursion of "[a-z_]*" too deep
def depth (n: i64) : i64 = if n == 0 then 0 else 1 + depth (n - 1)

entry main (n: i64) = depth n

-- ==
-- entry: arrays
-- input { [1i64, 2i64] } error: Stack overflow: recursion of "[a-z_]*" too deep
-- input { empty([0]i64) } output { 0i64 }
def grow [n] (xs: [n]i64) : i64 = if n == 0 then 0 else 1 + grow (map (+ 1) xs)

entry arrays (xs: []i64) = grow xs

-- ==
-- entry: threads
-- input { 100i64 } error: Stack overflow: recursion of "[a-z_]*" too deep
entry threads (n: i64) = i64.sum (map (\i -> depth (i - 50)) (iota n))
