-- An update in one branch only.
-- ==
-- input { [1, 2, 3] } output { [0, 2, 2] }
entry main (xs: []i32) =
  loop a = copy xs for i < 3i32 do if i % 2 == 0 then a with [i] = i else a
