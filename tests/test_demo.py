import numpy as np

from pytmva_bnn import demo, load


def test_the_demonstration_fits_the_turn_on_within_its_errors(tmp_path, capsys):
    assert demo.main([str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "with error bars" in text
    assert text.count("\n") > 10
    model = load(tmp_path / "trigger" / "weights" / "demo_TurnOn.weights.xml")
    pt = np.linspace(12, 50, 39)
    value, lower, upper = model.predict({"pt": pt}, errors=True)
    error = np.where(demo.efficiency(pt) > value, upper, lower)
    pull = np.abs(value - demo.efficiency(pt)) / error
    assert np.median(pull) < 2
    assert np.abs(value - demo.efficiency(pt)).max() < 0.05
