-- Sections of operators, names, paths and indices.
module m = {def (+++) (x: i32) (y: i32) = x * y def sub (x: i32) (y: i32) = x - y}
-- ==
-- input { 3 } output { 2 7 6 9 1 -1 true [2, 3] 4 5 }
entry main (x: i32) =
  ((5 -) x, (+ 4) x, (m.+++) x 2, (x m.+++) 3, (`m.sub` 2) x, (2 `m.sub`) x, (&& true) (x > 0),
   map (.[1].a) [[{a = 1i32}, {a = 2}], [{a = 1}, {a = 3}]], (.b.0) {a = 1i32, b = (4i32, true)},
   (.[0, 1]) [[1i32, 5]])
