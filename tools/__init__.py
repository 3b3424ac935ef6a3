"""What developers run; none of it is shipped."""
