"""Evidence about an action's changes: edits, weakened checks, the user's own wishes, and planted commands."""
