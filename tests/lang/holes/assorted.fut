-- Holes of functions, exponents with underscores, * in type arguments, coerced constructors.
-- ==
-- entry: holes
-- input { 1 false } output { 1 }
-- input { 1 true } error:

-- ==
-- entry: hofs
-- input { [1, 2] false } output { [1, 2] }
-- input { [1, 2] true } error:

-- ==
-- entry: hex
-- input {} output { 8f64 0.5f32 1f16 17i64 }

-- ==
-- entry: uniq
-- input { 1i64 } output { true 2i32 }

-- ==
-- entry: coerce
-- input { 0 3i64 } output { 0i64 }
-- input { 1 3i64 } output { 3i64 }
-- input { 2 3i64 } output { 6i64 }

def later (f: (i32 -> i32) -> i32) : i32 = ??? f
def sized (n: i64) : ([n]i32, []i32) = ???
def unknown : []i32 -> (i64, [][]f32) = ???

entry holes (x: i32) (b: bool) =
  if b then later (\g -> g x) + (let (a, c: [2]i32) = sized 3 in a[0] + c[0]) + i32.i64 (unknown [x]).0 else x

entry hofs (xs: []i32) (b: bool) =
  if b then reduce ??? 0 (map2 ??? xs (scan ??? 0 xs)) |> (\x -> [x]) else xs

entry hex = (0x1.0p0_3 : f64, 0x1.0p-0_1f32, 0x0.8p1f16, 0x1_1i64)
type tree 'a = #leaf a | #node a a
type wrap 'a = {v: a, n: i32}

def t : tree (*[2]bool) = #node [true, false] [false, true]
def r : wrap (*[2]i32) = {v = [1, 2], n = 0}

entry uniq (i: i64) = (match t case #leaf a -> a[i] case #node _ b -> b[i], r.v[i])

type cell 'a = #full a | #free | #two a a

def pick (k: i32) (n: i64) =
  match k
  case 0 -> (#free :> cell ([]f32))
  case 1 -> #full (replicate n 1f32)
  case _ -> #two (replicate n 1f32) (replicate n 2f32)

entry coerce k n =
  match pick k n
  case #full xs -> length xs
  case #free -> 0
  case #two a b -> length a + length b
