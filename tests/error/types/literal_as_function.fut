-- A literal applied to something.
-- at 6
-- ==
-- error: Cannot apply expression as function, as it has non-function type:.*number 

def f = 1 2
