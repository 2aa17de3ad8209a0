-- A submodule does not match.
-- at 6
-- ==
-- error: Module type specifies.*val k\.x : i32.*but module provides.*val k\.x : bool

module m : {module k : {val x : i32}} = {module k = {def x = true}}
