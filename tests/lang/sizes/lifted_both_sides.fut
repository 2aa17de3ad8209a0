-- A size-lifted parameter on both sides of an arrow: each occurrence has a size of its own, where
-- the argument's functions give arrays of sizes of theirs.
-- ==
-- entry: once
-- input { [-1, 5] } output { [5] }

-- ==
-- entry: twice
-- input { [-1, 5] } output { [5, 5, 0] }

-- ==
-- entry: known
-- input { [-1, 5] } output { [-2, 10] }

-- ==
-- entry: argument_first
-- input { [-1, 5] } output { [5] }

-- ==
-- entry: records
-- input { [-1, 5] } output { [5] [true] }

def app '~a (f: (() -> a) -> a) (x: () -> a) : a = f x

entry once (xs: []i32) = app (\(p: () -> []i32) -> filter (> 0) (p ())) (\() -> xs)

entry twice (xs: []i32) =
  let pos (p: () -> []i32) = filter (> 0) (p ())
  in app (\(p: () -> []i32) -> pos p ++ pos p ++ [0]) (\() -> xs)

-- All have one size: that of xs, so that the result can be added to it.
entry known [n] (xs: [n]i32) = map2 (+) xs (app (\p -> map id (p ())) (\() -> xs))

def app' '~a (x: () -> a) (f: (() -> a) -> a) : a = f x

entry argument_first (xs: []i32) =
  app' (\() -> xs) (\(p: () -> []i32) -> filter (> 0) (p ()))

def keep (xs: []i32) =
  let ys = filter (> 0) xs
  in {ys, zs = map (> 2) ys}

entry records (xs: []i32) =
  let r = app (\(p: () -> ?[k].{ys: [k]i32, zs: [k]bool}) -> keep (p ()).ys)
              (\() -> {ys = xs, zs = map (> 2) xs})
  in unzip (zip r.ys r.zs)
