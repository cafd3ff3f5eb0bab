"""What the user named, and commands on another record, a near name, another stage, account or address."""
