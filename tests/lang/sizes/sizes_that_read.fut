-- A size may read arrays, of unique parameters too, which the body may consume afterwards.
-- ==
-- entry: main
-- input { [true, false, true] [1, 2, 3, 4] } output { [1, 2, 3, 4] [false, false, true] }
-- input { [true, false, true] [1, 2, 3] } error: invalid sizes

-- ==
-- entry: element
-- input { [2i64, 9i64] [5, 6] } output { 11 [3i64, 9i64] }
-- input { [1i64, 9i64] [5, 6] } error: invalid sizes

-- ==
-- entry: result
-- input { [true, true] } output { [1, 1] }

def count [n] (b: [n]bool) : i64 = i64.sum (map i64.bool b)

entry main (b: *[]bool) (ys: [count b + 2]i32) = (ys, b with [0] = false)

entry element (ns: *[2]i64) (xs: [ns[0]]i32) =
  let s = i32.sum xs
  in (s, ns with [0] = ns[0] + 1)

def ones (b: *[]bool) : [count b]i32 = replicate (count b) 1

entry result (b: *[]bool) = ones b
