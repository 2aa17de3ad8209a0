-- An abbreviation with a hidden size.
type~ bag = {name: i32, items: []i32}
def total (b: bag) : i32 = b.name + i32.sum b.items
-- ==
-- input { [1, 2, 3] } output { 16 }
entry main (xs: []i32) = total {name = 10, items = xs}
