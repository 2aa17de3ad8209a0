-- There are no tuples of one component.
-- at 6
-- ==
-- error: Unexpected token: '\)'

def f = (1i32,)
