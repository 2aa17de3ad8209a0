-- Records with different fields.
-- at 6
-- ==
-- error: Cannot unify|fields

def f : {a: i32, b: i32} = {a = 1i32}
