"""What the outputs of a session list as entries, and whether an action takes the entry, the group and the passage that
the request and the records allow. Names of tools and fields differ everywhere; entries stand beside one another
everywhere.
"""
