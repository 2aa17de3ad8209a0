-- A submodule does not match.
-- at 6
-- ==
-- error: Module type specifies.*val x : i32.*but module provides.*val x : bool

module m : {module k : {val x : i32}} = {module k = {def x = true}}
