-- After the colon of a module lambda a module type needs parentheses.
-- at 6
-- ==
-- error: Unexpected "[{]"

module f = \(p: {val x : i32}) : {val y : i32} -> {def y = p.x + 1}
