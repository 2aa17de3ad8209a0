-- Arrays of sums with arrays in them.
-- ==
-- input { [1,2,3] } output { [3,0,7] }
type c = #a ([2]i32) | #b i32 | #c
def ev (x: c) = match x case #a p -> p[0] + p[1] case #b k -> k case #c -> 0
def of (x: i32) : c = if x == 1 then #a [x, x + 1] else if x == 3 then #b 7 else #c
entry main (xs: []i32) = map ev (map of xs)
