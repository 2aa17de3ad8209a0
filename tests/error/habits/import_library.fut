-- import without quotes.
-- at 6
-- ==
-- error: a file is imported by its path

import numpy as np
def f (x: f64) = x
