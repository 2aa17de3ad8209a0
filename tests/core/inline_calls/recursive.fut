-- A recursive function stays, others go.
-- structure inline_calls,dce: fun 2, call 2
-- ==
-- input { 5i32 } output { 120i32 }
def fact (n: i32) : i32 = if n <= 0 then 1 else n * fact (n - 1)
entry main (n: i32) : i32 = fact n
