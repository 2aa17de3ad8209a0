-- Parts of results that are unique share memory with nothing: in tuples, records, of functions that
-- are parameters, and through module types.
-- ==
-- entry: tuple record both
-- input { [1, 2] } output { [2, 2] }

-- ==
-- entry: through_module
-- input { [1, 2] } output { [0, 2] [1, 5] }

-- ==
-- entry: inferred
-- input { [1, 2] } output { [0, 2] [3, 2] [1, 2] }

-- ==
-- entry: one_kept
-- input { [1, 2] } output { [9, 2] [1, 2] }

def go_tuple [n] (step: [n]i32 -> (*[n]i32, *[n]i32)) (xs: [n]i32) : [n]i32 =
  let (a, b) = step xs
  in a with [0] = b[1]

entry tuple (xs: []i32) = go_tuple (\x -> (copy x, copy x)) xs

def go_record [n] (step: [n]i32 -> {a: *[n]i32, b: i32}) (xs: [n]i32) : [n]i32 =
  let {a, b} = step xs
  in a with [0] = b

def dup [n] (x: [n]i32) : {a: *[n]i32, b: i32} = {a = copy x, b = 2}

entry record (xs: []i32) = go_record dup xs

def go_both [n] (step: [n]i32 -> (*[n]i32, [n]i32)) (xs: [n]i32) : [n]i32 =
  let (a, b) = step xs
  let a[0] = b[1]
  in a

entry both (xs: []i32) = go_both (\x -> (map id x, x)) xs

-- the second part has nothing left to share memory with
module type splits = { val f [n] : *[n]i32 -> *([n]i32, [n]i32) }
module m : splits = { def f [n] (xs: *[n]i32) : (*[n]i32, [n]i32) = (xs, replicate n 1) }

entry through_module (xs: []i32) =
  let (a, b) = m.f (copy xs)
  in (a with [0] = 0, b with [1] = 5)

def three [n] (xs: [n]i32) = (copy xs, (copy xs, xs))

entry inferred (xs: []i32) =
  let (a, (b, c)) = three xs
  let a[0] = 0
  let b[0] = 3
  in (a, b, c)

entry one_kept (xs: []i32) =
  let (a, (_, c)) = three xs
  in (a with [0] = 9, c)
