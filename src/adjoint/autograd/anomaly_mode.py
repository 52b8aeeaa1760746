"""Anomaly detection: the public names of `torch.autograd.anomaly_mode`."""

from adjoint._core.anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
