-- Also through an operator, a partial application or a function of the type's own.
-- at 8 9
-- ==
-- error: consum

def eat (b: *[]bool) : i64 = length b
def (<+) (b: *[]bool) (k: i64) : i64 = length b + k
def f (b: *[4]bool) (ys: [b <+ 1]i32) = ys
def g (b: *[4]bool) (ys: [2 * (eat b - 1)]i32) = ys
