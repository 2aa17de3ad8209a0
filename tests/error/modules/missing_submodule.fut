-- A submodule is missing.
-- at 6
-- ==
-- error: Module does not define a module named "k"

module m : {module k : {val x : i32}} = {}
