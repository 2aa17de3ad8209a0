-- A record pattern has all fields in a match as well.
-- at 6
-- ==
-- error: unshared fields: b

def f (x: {a: i32, b: i32}) = match x case {a = 1} -> 1i32 case _ -> 2
