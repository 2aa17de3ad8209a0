-- Sums, records and numbers do not meet.
-- at 6 7 8 9
-- ==
-- error: (with sum type #a|type with constructors #a|that must be a record with fields)

def number_wanted (x: #a | #b) = x + 1
def sum_wanted (x: i32) = match x case #a -> 1i32 case _ -> 2
def array (xs: []i32) = match xs case #a -> 1i32 case _ -> 2
def both r = r.x + (r + 1i32)
