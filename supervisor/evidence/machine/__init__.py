"""What is known of a machine as data: files that run by themselves, vital places, agents, the guard's assets."""
