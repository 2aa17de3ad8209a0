-- A record of unknown type.
-- at 6
-- ==
-- error: name its type: "\(p: \{x: f64, y: f64\}\)"

def f p = p.x + p.y
