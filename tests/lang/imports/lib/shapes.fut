-- Imported by tests.
def circle (r: f64) : f64 = 3 * r * r
def square (a: f64) : f64 = a * a
local def hidden = 3i32
