"""A builder of ONNX graphs."""
