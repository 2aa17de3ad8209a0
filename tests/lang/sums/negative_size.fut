-- A constructor fills the places of the others' arrays: their sizes are checked when that is done.
-- ==
-- entry: fill
-- input { 3i64 2i64 true } output { 3i64 }
-- input { 3i64 2i64 false } output { 6i64 }
-- input { 3i64 0i64 true } output { 3i64 }
-- input { 4i64 -2i64 true } error: Range 0..1..<-2 is invalid
-- input { 4i64 -2i64 false } error: Range 0..1..<-2 is invalid
-- input { 4i64 -4611686018427387904i64 true } error: Range 0..1..<-4611686018427387904 is invalid

type~ opt [n] = #none | #some ([n]i32)

def make (n: i64) (none: bool) : opt [n] =
  if none then #none else #some (replicate n 1)

entry fill (m: i64) (n: i64) (none: bool) : i64 =
  let xs = map (\i -> make n (none || i > 100)) (iota m)
  in i64.sum (map (\x -> match x
                         case #none -> 1
                         case #some ys -> i64.i32 (i32.sum ys))
                  xs)
