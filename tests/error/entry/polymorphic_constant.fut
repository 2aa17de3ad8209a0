-- A constant whose type is open is polymorphic, and thus no entry point.
-- at 6
-- ==
-- error: Entry point functions may not be polymorphic

entry nothing = []
