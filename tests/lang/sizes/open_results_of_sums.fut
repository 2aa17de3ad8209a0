-- Sizes of declared results that the body leaves open.
-- ==
-- entry: main
-- input { 1i64 } output { 0i64 3i64 0i64 }
type~ e = #l ([]i32) | #r ([]f32) ([]bool)
def mk (n: i64) : e = #r (replicate n 0) (replicate n true)
def nothing : (i64, [][]i32) = (0, [])
def opt 'a (_: a) : (#some ([]a) | #none) = #none
def wid [n][m] (_: [n][m]i32) = m
entry main (n: i64) =
  let (a, b: [][3]i32) = nothing
  in (a, wid b, match (opt 3i32 : (#some ([n]i32) | #none)) case #some x -> length x case #none -> 0)
