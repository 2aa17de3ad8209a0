-- An update of a field with another type names the field, the last one of a path.
-- at 6 7 8
-- ==
-- error: record field "(a|b)"

def one (r: {a: i32}) = r with a = true
def deep (r: {a: {b: i32}}) = r with a.b = 1.5f32
def by_let (r: {a: {b: i32}}) = let r.a = 1i32 in r
