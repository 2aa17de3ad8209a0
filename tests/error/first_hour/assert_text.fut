-- An assertion with a text.
-- at 6
-- ==
-- error: an assertion has no text: "assert \(c\) e" is e if c is true; what fails is shown with

def f (x: f64) = assert (x > 0) "positive" x
