-- A record type found from a later use.
def get r = r.x + (r : {x: i32, y: i32}).y
-- ==
-- input { 3 4 } output { 7 }
entry main (x: i32) (y: i32) = get {x, y}
