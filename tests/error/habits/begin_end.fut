-- Words as brackets.
-- at 6
-- ==
-- error: expressions are grouped by parentheses

def f (x: f64) = begin x + 1 end
