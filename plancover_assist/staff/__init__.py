"""The staff's admin site. It looks into every app, so it sits on top of them and nothing imports it."""
