"""The matcher: one engine for rules that are data (`notes/rules`), and one resolution of what they find."""
