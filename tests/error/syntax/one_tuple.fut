-- There are no tuples of one component.
-- at 6
-- ==
-- error: Unexpected "\)"

def f = (1i32,)
