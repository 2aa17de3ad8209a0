-- Recursion goes as deep as arrays are long.
-- ==
-- entry: main
-- compiled input { 200000i64 } output { 20000100000i64 }
-- input { 5000i64 } output { 12502500i64 }

-- ==
-- entry: arrays
-- compiled input { 60000i64 } output { 180006i64 }
-- input { 3000i64 } output { 9006i64 }

-- ==
-- entry: fails
-- input { 1000i64 } error: division by zero
def sum (n: i64) : i64 = if n == 0 then 0 else n + sum (n - 1)
def depth [k] (n: i64) (xs: [k]i64) : i64 =
  if n == 0 then i64.sum xs else depth (n - 1) (map (+ 1) xs)
def until (n: i64) : i64 = if n == 0 then 1 / n else 1 + until (n - 1)
entry main (n: i64) = sum n
entry arrays (n: i64) = depth n [1, 2, 3]
entry fails (n: i64) = until n
