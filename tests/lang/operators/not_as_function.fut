-- "!" is an operator that stands before its operand, also as a function, and of modules; what begins
-- with it is a name like any other.
-- ==
-- entry: main
-- input { true } output { false true [false, true] false -6i32 250u8 }

-- ==
-- entry: longer
-- input { 5 3 } output { true false 16 8 }

-- ==
-- entry: twice
-- input { 5 } output { 5 true -6 }

entry main (b: bool) =
  (!b, !(!b), map (!) [true, false], bool.(!b), !5i32, !5u8)

def (!=!) (x: i32) (y: i32) = x + y != 2 * y
def (!-) (x: i32) (y: i32) = x == y
def x !* y = x * y + 1i32
def (!.) (x: i32) (f: i32 -> i32) = f x

entry longer (x: i32) (y: i32) = (x !=! y, x !- y, x !* y, x !. (+ y))

entry twice (x: i32) = (! !x, !(x < 0), !x)
