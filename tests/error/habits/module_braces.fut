-- A module without an equals sign.
-- at 6
-- ==
-- error: a module is defined by "module m =

module m { def x = 3 }
