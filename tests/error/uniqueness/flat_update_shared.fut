-- Nor may the new elements come from the destination.
-- at 7
-- ==
-- error: is consumed, but another argument

def f (a: *[]i32) =
  intrinsics.flat_update_2d a 0 2 1 (intrinsics.flat_index_2d a 0 2 1 2 1)
