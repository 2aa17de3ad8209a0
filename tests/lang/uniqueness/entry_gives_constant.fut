-- What an entry point gives leaves the program, so it may be a constant; functions that call the
-- entry point may consume it all the same.
-- ==
-- entry: main
-- input { 1 } output { [1, 2, 3] 2 }

-- ==
-- entry: consumer
-- input { 1 } output { [9, 2, 3] [1, 2, 3] }

-- ==
-- entry: all
-- input { } output { [1, 2, 3] }

def table = [1i32, 2, 3]

entry main (x: i32) = (table, x + 1)

entry all = table

entry consumer (x: i32) =
  let (a, _) = main x
  let a = a with [0] = 9
  in (a, copy table)
