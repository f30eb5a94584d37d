"""Events in any form, as named columns: the one door through which they come in.

* :func:`~pytmva_bnn.events.sources.open_events`: whatever the user has → a source of named columns, or an array;
* :class:`~pytmva_bnn.events.columns.Columns`: the same → rows with one column per variable of a model.
"""
