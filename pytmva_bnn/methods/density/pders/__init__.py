"""The density estimate by range searches."""
