-- Left operands whose sizes are known before: computed elements are no matter; and what does not
-- mention the size in its type.
-- ==
-- entry: main
-- input { [1, 2] [[3], [4]] } output { [[2, 4, 3], [2, 4, 4]] [[0, 1, 3], [0, 1, 4]] [[1, 3], [1, 4]] }

-- ==
-- entry: no_size
-- input { [3, -1, 2] [5, 1] } output { [true, false] [7, 3] }

-- ==
-- entry: bound
-- input { [3, -1, 2] [[1], [2]] } output { [[3, 2, 1], [3, 2, 2]] [[1, 3, 2], [2, 3, 2]] }

-- ==
-- entry: lambda
-- input { [3, -1, 2] [7] } output { [3, 2, 7] }

entry main (xs: []i32) (yss: [][]i32) =
  ( map (map (* 2) xs ++) yss
  , map (map i32.i64 (0..<2) ++) yss
  , map (xs[:1] ++) yss )

-- the operand's size is no part of the section's type
entry no_size (xs: []i32) (ys: []i32) =
  ( map (i32.maximum (filter (> 0) xs) <=) ys
  , map (length (filter (> 0) xs) |> i32.i64 |> (+)) ys )

entry bound (xs: []i32) (yss: [][]i32) =
  let zs = filter (> 0) xs
  in (map (zs ++) yss, map (++ zs) yss)

-- a lambda has the size as one of its result
entry lambda (xs: []i32) (ys: []i32) = ys |> \ys -> filter (> 0) xs ++ ys
