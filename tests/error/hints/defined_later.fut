-- A function that is defined after it is used.
-- at 6
-- ==
-- error: it is defined at 8:5-8, but a definition sees only those before it

def even (n: i32) : bool = n == 0 || odd (n - 1)

def odd (n: i32) : bool = n != 0 && even (n - 1)
