-- What an update of a field keeps must still be there: another field, one that may share its memory,
-- the record of which the field is a part, and what an index goes through.
-- at 10 11 12 13
-- ==
-- error: Using

def put (xs: *[]i32) (i: i64) (x: i32) : *[]i32 = xs with [i] = x
def two (x: []i32) : ([]i32, []i32) = (x, x)
type t = {a: [2]i32, b: [2]i32}
def f (r: *t) = r with a = (r.b with [0] = 1)
def g (r: *t) = (let r.a = (r.a with [0] = 1) in r, r.a)
def h (x: []i32) = let p = two (copy x) in p with 0 = put p.0 0 1
def k (r: *t) = r with a[0] = (put r.a 0 1)[1]
