"""The k nearest neighbours."""
