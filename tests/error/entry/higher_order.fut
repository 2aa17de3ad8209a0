-- A higher-order entry point.
-- at 6
-- ==
-- error: Entry point functions may not be higher-order

entry g (f: i32 -> i32) = f 2
