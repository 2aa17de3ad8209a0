-- A record in a loop: one branch changes the size of a field, the other another field.
-- ==
-- input { [1,2,3,4] } output { [2,4] 2 }
entry main (xs: []i32) =
  let r =
    loop r = {ev = [], od = 0} for x in xs do
      if x % 2 == 0 then r with ev = r.ev ++ [x] else r with od = r.od + 1
  in (r.ev, r.od)
