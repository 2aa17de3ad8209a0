-- Only what is defined earlier, and the function itself, is in scope.
-- at 6
-- ==
-- error: Unknown name "odd"

def even (x: i32) : bool = x == 0 || odd (x - 1)
def odd (x: i32) : bool = x != 0 && even (x - 1)
