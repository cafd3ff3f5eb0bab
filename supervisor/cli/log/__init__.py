"""`supervisor log`: the decisions in a folder of records, as a list, one by one, or as a page."""
