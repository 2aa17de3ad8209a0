-- Closures capture values.
def adder (n: i32) : i32 -> i32 = \x -> x + n
-- ==
-- input { 3 } output { [4, 5] [11, 21] }
entry main (x: i32) =
  let fs = (adder x, adder 10)
  in (map fs.0 [1, 2], map fs.1 [1, 11])
