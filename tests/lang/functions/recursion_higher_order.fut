-- A recursive function with a functional parameter.
def ho (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g 0 else g n + ho g (n - 1)
-- ==
-- input { 3 10 } output { 46 }
entry main (n: i32) (k: i32) = ho (+ k) n
