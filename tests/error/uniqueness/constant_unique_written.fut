-- A * that is written in the type itself counts, inside of tuples, records and sums as well.
-- at 6 7 8 9
-- ==
-- error: unique type.*unique type.*unique type.*unique type

def a : *[2]i32 = [1, 2]
def b : (*[2]i32, i32) = ([1, 2], 3)
def c : {x: i32, y: *[]i32} = {x = 1, y = [2]}
def d : #some (*[1]i32) | #none = #some [1]
