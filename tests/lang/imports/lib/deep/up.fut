-- Imported by tests.
import "../shapes"
def twice_circle (r: f64) : f64 = 2 * circle r
