-- switch
-- at 6
-- ==
-- error: a choice between cases is written "match e

def f (x: i32) = switch x { case 1: 2; default: 3 }
