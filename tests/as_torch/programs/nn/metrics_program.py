"""torchmetrics: classification, regression and image metrics, as functions and as modules."""

import torch
import torchmetrics
from torchmetrics.functional import regression

x = (torch.arange(60, dtype=torch.float32) * 1.7).sin().reshape(20, 3)
scores, target = x.softmax(1), torch.arange(20) * 7 % 3
a, b = x[:, 0].clone().requires_grad_(), x[:, 1] * 0.5 + 0.1
results = []
for metric in (
    torchmetrics.Accuracy(task="multiclass", num_classes=3, average="macro"),
    torchmetrics.F1Score(task="multiclass", num_classes=3),
    torchmetrics.AUROC(task="multiclass", num_classes=3),
    torchmetrics.ConfusionMatrix(task="multiclass", num_classes=3),
    torchmetrics.AveragePrecision(task="multiclass", num_classes=3),
    torchmetrics.CalibrationError(task="multiclass", num_classes=3),
    torchmetrics.MatthewsCorrCoef(task="multiclass", num_classes=3),
):
    metric.update(scores[:8], target[:8])
    metric.update(scores[8:], target[8:])
    results.append(metric.compute())
for metric in (
    torchmetrics.MeanSquaredError(),
    torchmetrics.R2Score(),
    torchmetrics.PearsonCorrCoef(),
    torchmetrics.SpearmanCorrCoef(),
    torchmetrics.ExplainedVariance(),
):
    results.append(metric(a.detach(), b).reshape(-1))
loss = regression.mean_absolute_error(a, b) + regression.log_cosh_error(a, b) + regression.pearson_corrcoef(a, b)
results += [loss.detach(), *torch.autograd.grad(loss, a)]
images = x[:16].reshape(1, 3, 4, 4).repeat(1, 1, 4, 4).sigmoid().requires_grad_()
ssim = torchmetrics.functional.image.structural_similarity_index_measure(
    images, images.detach().flip(-1), data_range=1.0
)
psnr = torchmetrics.functional.image.peak_signal_noise_ratio(images, images.detach().flip(-1), data_range=1.0)
results += [ssim.detach(), psnr.detach(), *torch.autograd.grad(ssim + psnr, images)]
mean = torchmetrics.MeanMetric()
mean.update(a.detach(), b.abs())
together = torchmetrics.MetricCollection([torchmetrics.MeanAbsoluteError(), torchmetrics.MeanSquaredError()])
results += [mean.compute(), *together(a.detach(), b).values()]
print([round(v, 4) + 0.0 for r in results for v in r.double().flatten().tolist()[:100]])
