-- What two types do not share is listed by name, not by which of them has it.
-- at 6 7
-- ==
-- error: (unshared fields: c, d|Unshared constructors: #c, #d)\.

def fields (r: {a: i32, d: i32}) : {a: i32, c: i32} = r
def constructors (x: #a | #d) : (#a | #c) = x
