-- An if is no argument without parentheses.
-- at 6
-- ==
-- error: Unexpected "if"

def f = id if true then 1i32 else 2
