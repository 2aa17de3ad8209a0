-- A * inside an argument of a type, of a constant at the top, in a module, in a functor, behind
-- abbreviations of abbreviations: the constant itself is not unique.
-- ==
-- entry: main
-- input { 1i64 } output { 2 [3, 4] }

-- ==
-- entry: modules
-- input { 0i64 } output { 5i64 6i64 }

-- ==
-- entry: nested
-- input { 1i64 } output { 8 true }

type pair 'a 'b = (a, b)
type both 'a = pair a a
type option 'a = #some a | #none

def p : both (*[2]i32) = ([1, 2], [3, 4])
entry main (i: i64) = (p.0[i], copy p.1)

module m = {
  def o : option (*[1]i64) = #some [5]
  def get (i: i64) = match o case #some xs -> xs[i] case #none -> 0
}

module f (p: {val x : i64}) = {
  def r : pair i64 (*[]i64) = (p.x, [p.x + 1])
}

module g = f {def x = 5i64}

entry modules (i: i64) = (m.get i, g.r.1[i])

def deep : option (both (pair (*[2]i32) bool)) = #some (([7, 8], true), ([9, 10], false))

entry nested (i: i64) =
  match deep
  case #some (a, _) -> (a.0[i], a.1)
  case #none -> (0, false)
