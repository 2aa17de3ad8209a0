-- Operators that the program redefines are still in the module `intrinsics`.
-- ==
-- entry: main
-- input { 5 3 } output { 2 8 }

-- ==
-- entry: integers
-- input { -7 2 } output { -9 -14 -4 1 -3 -1 49 0 -5 -5 -28 -2 }

-- ==
-- entry: comparisons
-- input { 1f32 2f32 } output { false true true true false false }

-- ==
-- entry: functions
-- input { [1, 2, 3] } output { 6 [2, 3, 4] [5, 4, 3] [-2, -3, -4] [false, true] }

def (+) (x: i32) (y: i32) = x - y
def (==) (x: f32) (y: f32) = x != y

entry main (x: i32) (y: i32) = (x + y, x intrinsics.+ y)

entry integers (x: i32) (y: i32) =
  ( x intrinsics.- y, x intrinsics.* y, x intrinsics./ y, x intrinsics.% y, x intrinsics.// y
  , x intrinsics.%% y, x intrinsics.** y, x intrinsics.& y, x intrinsics.| y
  , x intrinsics.^ 2, x intrinsics.<< y, x intrinsics.>> y )

entry comparisons (x: f32) (y: f32) =
  ( x intrinsics.== y, x intrinsics.!= y, x intrinsics.< y, x intrinsics.<= y, x intrinsics.> y
  , x intrinsics.>= y )

entry functions (xs: []i32) =
  ( reduce (intrinsics.+) 0 xs, map (intrinsics.+ 1) xs, map (6 intrinsics.-) xs
  , map (intrinsics.!) xs, map (intrinsics.!) [true, false] )
