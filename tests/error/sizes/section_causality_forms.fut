-- Whatever computes the size of a left operand: a slice with a stride, a branch, a range, a function
-- of the program, a loop; also of an operator in backticks.
-- at 9 10 11 12 13
-- ==
-- error: Causality.*Causality.*Causality.*Causality.*Causality

def evens (xs: []i32) : ?[k].[k]i32 = filter (\x -> x % 2 == 0) xs
def app [n] [m] (xs: [n]i32) (ys: [m]i32) = xs ++ ys
def a (xs: []i32) (s: i64) (yss: [][]i32) = map (xs[::s] ++) yss
def b (c: bool) (xs: []i32) (yss: [][]i32) = map ((if c then xs else xs ++ xs) ++) yss
def d (n: i32) (yss: [][]i32) = map ((0..<n) ++) yss
def e (xs: []i32) (yss: [][]i32) = map (evens xs `app`) yss
def f (xs: []i32) (yss: [][]i32) = map ((loop ys = xs for _i < 2i32 do ys ++ ys) ++) yss
