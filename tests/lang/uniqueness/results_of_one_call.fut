-- Results of one call are different arrays once one of them is updated, whatever made them.
-- ==
-- entry: zipped named
-- input { 3i64 } output { [100i64, 1i64, 2i64] [200i64, 1i64, 2i64] }

-- ==
-- entry: recursive
-- input { 3i64 } output { [100i64, 1i64, 2i64] [200i64, 1i64, 2i64] }

-- ==
-- entry: unique
-- input { 3i64 } output { [100i64, 1i64, 2i64] [0i64, 1i64, 2i64] }

-- ==
-- entry: argument
-- input { true [1i64, 2i64] } output { [5i64, 2i64] [6i64, 2i64] [1i64, 2i64] }
-- input { false [1i64, 2i64] } output { [5i64, 0i64] [6i64, 0i64] [1i64, 2i64] }

#[noinline]
def pairs (n: i64) : [](i64, i64) = let a = iota n in zip a a

entry zipped n =
  let ps = pairs n
  let ps[0] = (100, 200)
  in unzip ps

type pair = {x: i64, y: i64}

#[noinline]
def fields (n: i64) : []pair = let a = iota n in map2 (\x y -> {x, y}) a a

entry named n =
  let ps = fields n
  let ps[0] = {x = 100, y = 200}
  in (map (.x) ps, map (.y) ps)

def build (k: i64) (n: i64) : [](i64, i64) =
  if k <= 0 then let a = iota n in zip a a else build (k - 1) n

entry recursive n =
  let ps = build 2 n
  let ps[0] = (100, 200)
  in unzip ps

#[noinline]
def two (n: i64) : (*[]i64, *[]i64) = let a = iota n in (copy a, a)

entry unique n =
  let (a, b) = two n
  let a[0] = 100
  in (a, b)

#[noinline]
def either (b: bool) (xs: []i64) : [](i64, i64) =
  let a = if b then xs else replicate (length xs) 0
  in zip a a

entry argument b (xs: []i64) =
  let ps = copy (either b xs)
  let ps[0] = (5, 6)
  let (p, q) = unzip ps
  in (p, q, xs)
