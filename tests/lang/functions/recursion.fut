-- Recursive functions.
def fact (n: i32) : i32 = if n <= 1 then 1 else n * fact (n - 1)
-- ==
-- input { 5 } output { 120 }
entry main (n: i32) = fact n
def fib (n: i32) : i32 = if n < 2 then n else fib (n - 1) + fib (n - 2)

-- ==
-- entry: second
-- input { 15 } output { 610 }
entry second (n: i32) = fib n
