"""PDEFoam: densities, fractions or targets in the cells of a foam, a binary tree of boxes.

>>> import pytmva_bnn as TMVA
>>> model = TMVA.load("xml_fixtures/methods/foam/weights.xml.gz")
>>> model.summary, model.predict([[0.5, 1.0, 2.0, 0.5]]).round(3)
('97 cells', array([0.833]))
"""
