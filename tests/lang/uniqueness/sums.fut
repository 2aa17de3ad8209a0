-- The payload of a constructor is consumed.
def put (x: *#some ([2]i32) | #none) : [2]i32 =
  match x
  case #some xs -> xs with [0] = 7
  case #none -> [0, 0]
-- ==
-- input { 3 } output { [7, 3] [0, 0] }
entry main (x: i32) = (put (#some [x, x]), put #none)
