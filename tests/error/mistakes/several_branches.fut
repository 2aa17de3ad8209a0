-- Several branches.
-- at 6
-- ==
-- error: Condition of if-expression.*Unknown name "foo".*Unknown name "bar"

def f (x: i32) = if x then foo else bar
