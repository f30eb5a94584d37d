"""TMVAClassificationApplication on the native API: the response and its error for every event of a file.

    python classification.py && python application.py

What changed from the macro: there is no event loop and no SetBranchAddress.  ``TMVA.load`` finds the columns by the
expressions in the weight file and computes all events at once; the Reader of ``reader_loop`` gives the same numbers.
"""

from array import array

import numpy as np
import uproot

import pytmva_bnn as TMVA

WEIGHTS = "dataset/weights/TMVAClassification_MLPBNN.weights.xml"


def all_at_once(events: dict[str, np.ndarray]) -> np.ndarray:
    return TMVA.load(WEIGHTS).predict(events)


def reader_loop(events: dict[str, np.ndarray], n_events: int) -> np.ndarray:
    """Return the responses of the first events, one by one as the macro does it."""
    reader = TMVA.Reader("!Color:Silent")
    buffers = {name: array("f", [0.0]) for name in ("myvar1 := var1+var2", "myvar2 := var1-var2", "var3", "var4")}
    for definition, buffer in buffers.items():
        reader.AddVariable(definition, buffer)
    reader.AddSpectator("spec1 := var1*2", array("f", [0.0]))
    reader.AddSpectator("spec2 := var1*3", array("f", [0.0]))
    reader.BookMVA("MLPBNN method", WEIGHTS)
    sums, differences, var3, var4 = buffers.values()
    responses = []
    for i in range(n_events):
        var1, var2 = float(events["var1"][i]), float(events["var2"][i])
        sums[0], differences[0] = var1 + var2, var1 - var2
        var3[0], var4[0] = events["var3"][i], events["var4"][i]
        responses.append(reader.EvaluateMVA("MLPBNN method"))
    return np.array(responses)


if __name__ == "__main__":
    with uproot.open("tmva_class_example.root") as file:
        signal = file["TreeS"].arrays(library="np")
    responses = all_at_once(signal)
    print(f"{len(responses)} events, mean response {responses.mean():.4f}")
    print("largest difference to the event loop:", np.abs(reader_loop(signal, 100) - responses[:100]).max())

    counts, edges = np.histogram(responses, bins=100, range=(-1.25, 1.5))
    with uproot.recreate("TMVApp.root") as file:
        file["MVA_MLPBNN"] = (counts, edges)
