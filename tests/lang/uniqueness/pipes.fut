-- Functions do not capture constants, and what pipes give comes from the functions in them.
-- ==
-- entry: main left section composed
-- input { [1, 2, 3] } output { [1, 3, 3] }

-- ==
-- entry: fresh
-- input { [1, 2, 3] } output { [2, 3, 4] [0, 3, 4] [1, 2, 3] }

-- ==
-- entry: unique
-- input { [1, 2, 3] } output { [2, 4, 6] }

-- ==
-- entry: folded
-- input { [1, 2] } output { [4, 5] }

-- ==
-- entry: scalars
-- input { [0, 1] } output { [5, 1] [7i64, 7i64] }

def table : []i32 = [1, 0]

entry main (xs: []i32) = xs |> map (\x -> table[x % 2] + x)

entry left (xs: []i32) = map (\x -> table[x % 2] + x) <| xs

entry section (xs: []i32) = (map (\x -> table[x % 2] + x) <|) xs

entry composed (xs: []i32) = (map (\x -> table[x % 2]) >-> map2 (+) xs) xs

entry fresh (xs: []i32) =
  let ys = xs |> map (+ 1)
  let zs = xs |> map (+ 1) |> map id
  let zs[0] = 0
  in (ys, zs, xs)

entry unique (xs: []i32) : *[]i32 = xs |> map (* 2)

entry folded (xs: []i32) =
  foldl (\a x -> map (+ (x + table[1])) a) [1, 2] xs

-- what the function is given is no array, so none of `is`
def pick (f: i32 -> []i64) (is: []i32) : []i64 = f is[0]

entry scalars (is: []i32) =
  let rows = [[7i64, 7], [8, 8]]
  let is = copy is
  let r = pick (\i -> rows[i]) is
  let is[0] = 5
  in (is, r)
