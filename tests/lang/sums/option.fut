-- A parametric sum type.
type option 'a = #some a | #none
def or_else 'a (d: a) (o: option a) : a = match o case #some x -> x case #none -> d
def find 'a [n] (p: a -> bool) (xs: [n]a) : option a =
  loop r : option a = #none for x in xs do
    match r
    case #some _ -> r
    case #none -> if p x then #some x else #none
-- ==
-- input { [1, 5, 7] } output { 5 -1 }
entry main (xs: []i32) = (or_else (-1) (find (> 3) xs), or_else (-1) (find (> 9) xs))
