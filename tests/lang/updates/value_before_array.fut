-- In an update, the indices and the new value come before the array: they may read what it consumes,
-- in nested updates, through fields, pipes, branches, matches, loops and functions.
-- ==
-- entry: nested
-- input { [[1, 2], [3, 4]] } output { [[4, 2], [3, 1]] }

-- ==
-- entry: in_record
-- input { [1, 2] [3, 4] } output { [30, 2] [3, 1] }

-- ==
-- entry: matched
-- input { [5, 6] } output { [0, 5] }
-- input { [1, 6] } output { [1, 1] }

-- ==
-- entry: looped
-- input { [1, 2, 3] } output { [1, 2, 6] }

-- ==
-- entry: scattered
-- input { [1, 2, 3] } output { [9, 3, 1] }

-- ==
-- entry: sliced
-- input { [1, 2, 3, 4] } output { [0, 1, 2, 4] }

-- ==
-- entry: applied
-- input { [1, 2] } output { [7, 3] }

entry nested (a: *[2][2]i32) = (a with [0, 0] = a[1, 1]) with [1, 1] = a[0, 0]

entry in_record (xs: *[2]i32) (ys: *[2]i32) =
  let r = {p = xs, q = ys}
  let s = ({p = r.p with [0] = 30, q = r.q} with q[1] = xs[0])
  in (s.p, s.q)

entry matched (a: *[2]i32) =
  (match a[0] case 5 -> a with [0] = 0 case _ -> a) with [1] = a[0]

entry looped (a: *[3]i32) =
  (loop a for i < 2 do a with [i] = a[i]) with [2] = i32.sum a

entry scattered (a: *[3]i32) = scatter a [0, 1] [9, 3] with [2] = a[0]

-- the value is a copy of what is updated
entry sliced (a: *[4]i32) = (a with [0] = 0) with [1:3] = copy a[:2]

def both (xs: *[]i32) : *[]i32 = let xs[0] = 7 in xs
def sum_of (xs: []i32) : i32 = i32.sum xs

entry applied (a: *[2]i32) = both a with [1] = sum_of a
