-- Imported by tests.
import "deeper"
local def hidden = 3i32
def visible = hidden + deeper
