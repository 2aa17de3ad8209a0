-- Names that begin with an underscore, used: of lambdas, modules, loops, fields, patterns.
-- at 8 10 12 14 16 18
-- ==
-- error: underscore

module m = { def _f (x: i32) = x }

def a (xs: []i32) = map (\_x -> _x + 1) xs

def b (x: i32) = m._f x

def c (x: i32) = loop _a = x for i < 3i32 do _a + i

def d (x: i32) = let {a = _b} = {a = x} in _b

def e (r: {_a: i32, b: i32}) = let {_a, b} = r in b

def f (x: #c i32) = match x case #c _y -> _y
