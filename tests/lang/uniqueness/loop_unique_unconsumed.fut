-- A loop parameter that is declared unique, and that the body does not consume, may start as
-- something that may not be consumed.
-- ==
-- entry: second first
-- input { [5, 1, 1, 3, 4] } output { [5, 5, 5, 5, 5] }

-- ==
-- entry: alone
-- input { [5, 1, 2, 3, 4] } output { [5, 4] }
-- input { [5] } output { [5] }

-- ==
-- entry: taken
-- input { [5, 1, 2] } output { [3, 1, 2] [5, 1, 2] }

-- ==
-- entry: outer
-- input { [5, 1, 2] } output { 6i32 [8, 1, 2] }

def two [n] (arr: [n]i32) : [n]i32 =
  let dest = replicate n arr[0]
  let (u, _) =
    loop (u: *[n]i32, elems: *[]i32) = (dest, arr) while length elems > 3 do
      (u, filter (> 1) elems)
  in u

entry second (xs: []i32) = two xs

def two' [n] (arr: [n]i32) : [n]i32 =
  let dest = replicate n arr[0]
  let (_, u) =
    loop (elems: *[]i32, u: *[n]i32) = (arr, dest) while length elems > 3 do
      (filter (> 1) elems, u)
  in u

entry first (xs: []i32) = two' xs

entry alone (xs: []i32) =
  loop (elems: *[]i32) = xs while length elems > 2 do filter (> elems[length elems - 1] - 1) elems

-- consumed: its own initial value is the program's
entry taken (xs: []i32) =
  loop (a: *[]i32, b: *[]i32) = (copy xs, xs) for i < 3 do (a with [0] = i + 1, copy b)

entry outer (xs: *[]i32) =
  let s = loop s = 0 for _i < 2i32 do
            s + (loop (a: *[]i32) = xs for _j < 1i32 do map (+ 1) a)[1] + 1
  in (s, xs with [0] = 8)
