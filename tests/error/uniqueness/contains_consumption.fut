-- A partial application consumes its argument.
-- at 8
-- ==
-- error: contains consumption, which is not allowed

def put (v: *[]i64) (i: i64) : i64 = let v[i] = 0 in v[0]
def f (v: *[]i64) =
  let h = put v
  in h 0 + h 1
