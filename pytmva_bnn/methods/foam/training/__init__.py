"""Growing and filling of foams."""
