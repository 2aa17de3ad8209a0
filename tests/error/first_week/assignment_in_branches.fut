-- An assignment in each branch.
-- at 6
-- ==
-- error: a conditional has a value, which is bound outside of it: "let y = if c then a else b"; equality is "=="\.

def f (x: f64) = if x > 0 then y = 1 else y = 2
