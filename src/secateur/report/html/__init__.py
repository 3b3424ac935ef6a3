"""A whole run in one HTML file, for people who have none of our tools."""
