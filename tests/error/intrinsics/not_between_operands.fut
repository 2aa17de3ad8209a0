-- "!" has one operand, by the name it has among the intrinsics as well.
-- at 6 7
-- ==
-- error: Cannot apply expression as function

def f (x: i32) (y: i32) = x intrinsics.! y
def g (y: bool) = map (intrinsics.! y) [true]
