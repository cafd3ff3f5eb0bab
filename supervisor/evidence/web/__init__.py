"""What an agent does in a browser: the pages it opens, the text it types, and the rules of access that apply."""
