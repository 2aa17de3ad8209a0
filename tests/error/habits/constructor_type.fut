-- Constructors without # in a type.
-- at 6
-- ==
-- error: constructors begin with "#"

type shape = Circle f64 | Square f64
