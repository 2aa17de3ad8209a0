-- A polymorphic entry point.
-- at 6
-- ==
-- error: Entry point functions may not be polymorphic

entry g 'a (x: a) = x
