-- Imported by tests.
import "shapes"
def circle_plus (r: f64) : f64 = circle r + 1
