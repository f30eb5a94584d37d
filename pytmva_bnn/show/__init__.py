"""Everything a person looks at: plots, reports, tables, rich displays."""
