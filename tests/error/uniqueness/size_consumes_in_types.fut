-- No size consumes anything, wherever the type stands: in ascriptions, coercions, patterns of let,
-- loops and lambdas, and in arguments of types.
-- at 9 10 11 12 13
-- ==
-- error: consum

def eat (b: *[]bool) : i64 = length b
type vec [n] = [n]i32
def a (b: *[4]bool) (xs: []i32) = xs :> [eat b]i32
def d (b: *[4]bool) (xs: []i32) = let ys: [eat b]i32 = xs in ys
def e (b: *[4]bool) (ys: vec [eat b]) = ys
def f (b: *[4]bool) = \(ys: [eat b]i32) -> ys
def g (b: *[4]bool) (xs: []i32) = loop (ys: [eat b]i32) = xs for _i < 3i32 do ys
