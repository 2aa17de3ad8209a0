-- Recursion a few thousand levels deep.
def down (n: i32) (acc: i32) : i32 = if n == 0 then acc else down (n - 1) (acc + 1)
-- ==
-- input { 5000 } output { 5000 }
entry main (n: i32) = down n 0
