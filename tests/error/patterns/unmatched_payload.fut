-- The payload of a constructor is not exhausted.
-- at 6
-- ==
-- error: Unmatched cases in match expression:.*#a _

def f (x: #a i32 | #b) = match x case #a 1 -> 1i32 case #b -> 2
