-- Polymorphic functions at several types.
def swap 'a 'b (x: a, y: b) : (b, a) = (y, x)
def pick 'a (b: bool) (x: a) (y: a) : a = if b then x else y
-- ==
-- input { 3 true } output { true 3 4 false [1, 2] }
entry main (x: i32) (b: bool) =
  let (p, q) = swap (x, b)
  in (p, q, pick b (x + 1) x, pick b false true, pick b [1i32, 2] [3, 4])
