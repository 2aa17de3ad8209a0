-- Entry points have nothing to do with accumulators.
-- at 6
-- ==
-- error: Entry point functions may not use accumulators

entry f [n] (acc: *intrinsics.acc ([n]i64)) : *intrinsics.acc ([n]i64) =
  intrinsics.acc_write acc 0 1
