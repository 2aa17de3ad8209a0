-- An entry point without types.
-- at 6
-- ==
-- error: give the parameters types

entry main x = x
