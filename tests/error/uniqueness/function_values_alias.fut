-- Lambdas that give their argument, or what they captured, in definitions and records.
-- at 13 19 25
-- ==
-- error: not consumable

def same = \(xs: []i64) -> xs
def tools = {pass = \(xs: []i64) -> xs, all = \(xs: []i64) : []i64 -> map (+ 1) xs}

-- the parts of a record that give what they get, or say so

def a (xs: []i64) =
  let b = same xs
  let b[0] = 1
  in b

def c (xs: []i64) =
  let d = tools.all xs
  -- declared: it may alias
  let d[0] = 1
  in d

def e (xs: []i64) =
  let r = {f = \(_: i64) -> xs}
  let g = r.f 1
  let g[0] = 1
  in g
