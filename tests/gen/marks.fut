-- An array that is filled anew in a loop whose other bound is of unknown sign, and an opaque type
-- without arrays: gcc asks what if the size of the array were negative, and what if there were one.
entry marks [m] (n: i64) (src: [m]i64) : i64 =
  (loop (total, go) = (0, true) while go do
     let best = hist i64.min i64.highest n src src
     let chosen = filter (\i -> i != i64.highest) best
     let mark = scatter (replicate m false) chosen (map (const true) chosen)
     let added = i64.sum (map i64.bool mark)
     in (total + added, added > total)).0

entry both (x: i32) : (i32, i32) = (x, x)
