-- A * in an argument of a constant's type says nothing of the constant.
-- ==
-- input { 1i64 } output { true [3i64] 2i64 }

type tree 'a = #leaf a | #node a a
type box 'a = {content: a}

def t : tree (*[2]bool) = #node [true, false] [false, true]
def b : box (*[1]i64) = {content = [3]}
def f : *[1]i64 -> i64 = \(x: *[1]i64) -> x[0] + 1

entry main (i: i64) =
  (match t case #leaf a -> a[i] case #node _ b -> b[i], copy b.content, f [1])
