-- A coercion says what to check: a size that nothing gives the value is not determined by it, in a
-- record, in a branch, or where a module hides it.
-- at 10 11 12 13
-- ==
-- error: Ambiguous.*Ambiguous.*Ambiguous.*Ambiguous

type cell 'a = #full a | #free
type either 'a 'b = #left a | #right b
def size (c: cell ([]i32)) = match c case #full xs -> length xs case #free -> 0
def a (n: i64) = size (#free :> cell ([n]i32))
def b = match (#left 1 :> either i32 ([3]bool)) case #left x -> x case #right _ -> 0
def c (b: bool) = if b then {x = 1, y = (#free :> cell ([2]i64))} else {x = 2, y = #free}
def d = (([] :> [0][4]i32) :> [0][4]i32)
