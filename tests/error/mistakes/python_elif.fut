-- Python elif.
-- at 6
-- ==
-- error: else if c then

def f (x: i32) = if x > 0 then 1 elif x < 0 then 2 else 3
