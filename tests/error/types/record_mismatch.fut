-- Records with different fields.
-- at 6
-- ==
-- error: Function body does not have expected type.*unshared fields: b

def f : {a: i32, b: i32} = {a = 1i32}
