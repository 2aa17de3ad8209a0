-- A function chosen by a condition.
-- at 6
-- ==
-- error: apply the function in each branch: "if c then f x else g x"\.

def f (b: bool) = if b then f64.sin else f64.cos
