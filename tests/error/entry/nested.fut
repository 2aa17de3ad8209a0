-- An entry point inside a module.
-- at 6
-- ==
-- error: Entry points may not be declared inside modules

module m = { entry g (x: i32) = x }
