-- A recursive function that makes an array.
def powers (n: i64) (x: i32) : []i32 = if n == 0 then [] else powers (n - 1) x ++ [x ** i32.i64 n]
-- ==
-- input { 3i64 2 } output { [2, 4, 8] }
-- input { 0i64 2 } output { empty([0]i32) }
entry main (n: i64) (x: i32) = powers n x
