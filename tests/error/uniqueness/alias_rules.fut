-- Results of one call or loop, unique results that alias each other, constants given by lambdas,
-- arguments that are consumed and used: one definition each.
-- at 10 12 15 18 21 23 26 30 35 36 37 41 42
-- ==
-- error: is aliased(.|\n)*free variable(.|\n)*was consumed(.|\n)*uniqueness

def g = {a = [1i32, 2]}

-- unique components of a result
def b1 (xs: *[]i32) : (*[]i32, *[]i32) = (xs, xs)
def b2 (n: i64) : {a: *[]i64, b: (i32, *[]i64)} =
  let x = iota n
  in {a = x, b = (1, x)}
def b3 (n: i64) : (*[]i64, *[]i64) =
  let x = iota n in if n > 2 then (x, copy x) else (x[1:], x)

-- lambdas and local functions that give constants
def c1 = \(x: i32) -> (x, g.a)
def c2 x =
  let h y =
    if y == x then g.a else [y, y]
  in h (x + 1i32)
def c3 = \(b: bool) -> {r = #some g.a : #some ([2]i32) | #none, b}

-- results of one call, of one loop
def d1 (n: i64) = let r = #[noinline] (\k -> let a = iota k in {p = a, q = a}) n in (r.p with [0] = 5, r.q)
def d2 (n: i64) =
  let (a, b) = loop (_a, b) = (iota n, iota n) for _i < 3i32 do (b, b)
  let a[0] = 7
  in (a, b)

-- arguments that are consumed, and used by another one
def put (a: *[]i32) (r: {x: []i32}) = a with [0] = r.x[0]
def tup (r: {x: []i32}) (a: *[]i32) = a with [0] = r.x[0]
def e1 (xs: *[]i32) = put xs {x = xs}
def e2 (xs: *[]i32) = tup {x = xs[1:]} xs
def e3 (xs: *[]i32) = let ys = xs in put ys {x = map (+ 1) ys[1:] |> (\_ -> ys)}

-- results that must be new
def use (f: []i32 -> *[]i32) (xs: []i32) = f xs
def e4 (xs: []i32) = use (\ys -> ys) xs
def e5 (xs: []i32) = use (\(ys: []i32) : []i32 -> map (+ 1) ys) xs
