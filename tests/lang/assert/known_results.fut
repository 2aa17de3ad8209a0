-- A result that is known without running what it comes from is still checked by it.
-- ==
-- entry: same equal sum folded branch element size nested unused component called apart
-- input { [1, 2, 3] } error: Assertion is false

-- ==
-- entry: same
-- input { [2, 3] } output { [2, 3] }

-- ==
-- entry: equal
-- input { [2, 3] } output { [3, 3] }

-- ==
-- entry: folded
-- input { [2, 3] } output { 1 }

-- ==
-- entry: size
-- input { [2, 3] } output { 2i64 }

-- ==
-- entry: called
-- input { [2, 3] } output { 0 }

-- ==
-- entry: apart
-- input { [2, 3] } output { [10, 10] }
entry same (xs: []i32) = map (\x -> assert (x > 1) x) xs

entry equal (xs: []i32) = map (\x -> assert (x > 1) 3i32) xs

entry sum (xs: []i32) = i32.sum (map (\x -> assert (x > 1) 3i32) xs)

entry folded (xs: []i32) = loop a = 1i32 for x in xs do assert (x > 1) a

entry branch (xs: []i32) = let x = xs[0] in if xs[1] == 2 then assert (x > 1) 3i32 else 3

entry element (xs: []i32) = (map (\x -> assert (x > 1) x) xs)[1]

entry size (xs: []i32) = length (map (\x -> assert (x > 1) x) xs)

entry nested (xs: []i32) = map (\x -> map (\y -> assert (y > 1) x) xs) xs

entry unused (xs: []i32) = let _ = map (\x -> assert (x > 1) x) xs in xs

entry component (xs: []i32) = (unzip (map (\x -> (x, assert (x > 1) true)) xs)).0

#[noinline]
def checked (xs: []i32) = map (\x -> assert (x > 1) x) xs

entry called (xs: []i32) = let _ = checked xs in 0i32

-- A row of a nest whose reduction for all rows is taken out of it.
entry apart (xs: []i32) =
  map (\r -> let _ = assert (i32.minimum r > 1) 1i32 in 2 * i32.sum r) [xs, xs]
