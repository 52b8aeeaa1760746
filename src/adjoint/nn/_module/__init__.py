"""What `Module` is made of: hooks, state dicts, and layers declared by their fields."""
