-- Loop parameters that are records with arrays.
-- ==
-- input { [1, 2, 3] } output { [3, 2, 3] [4, 2, 3] 3 }
entry main (xs: []i32) =
  let whole = loop r = {a = copy xs, k = 0} for i < 3i32 do r with a[0] = i + 1 with k = i
  let {a, k} =
    loop {a, k} = {a = copy xs, k = 1} for i < 3i32 do
      {a = a with [0] = i + 2, k = k + i - i / 2}
  in (whole.a, a, k)
