-- The order of constructors is irrelevant.
def un (x: #a i32 | #b) : (#b | #a i32) = x
-- ==
-- input { 3 } output { 3 }
entry main (x: i32) = match un (#a x) case #a y -> y case #b -> 0
