"""The arithmetic of models as compiled loops (numba), without torch: decoding and scoring on a CPU.

``musicrel.model.torch_reader`` is the reference: logits differ by rounding alone.
"""
