"""The review console: pages on which people judge decisions. See docs/console.md."""
