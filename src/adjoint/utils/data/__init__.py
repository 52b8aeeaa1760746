"""Data sets, samplers and `DataLoader`: PyTorch's `torch.utils.data`."""

from adjoint.utils.data.collate import default_collate as default_collate
from adjoint.utils.data.collate import default_convert as default_convert
from adjoint.utils.data.dataloader import DataLoader as DataLoader
from adjoint.utils.data.dataset import ChainDataset as ChainDataset
from adjoint.utils.data.dataset import ConcatDataset as ConcatDataset
from adjoint.utils.data.dataset import Dataset as Dataset
from adjoint.utils.data.dataset import IterableDataset as IterableDataset
from adjoint.utils.data.dataset import StackDataset as StackDataset
from adjoint.utils.data.dataset import Subset as Subset
from adjoint.utils.data.dataset import TensorDataset as TensorDataset
from adjoint.utils.data.dataset import random_split as random_split
from adjoint.utils.data.distributed import DistributedSampler as DistributedSampler
from adjoint.utils.data.sampler import BatchSampler as BatchSampler
from adjoint.utils.data.sampler import RandomSampler as RandomSampler
from adjoint.utils.data.sampler import Sampler as Sampler
from adjoint.utils.data.sampler import SequentialSampler as SequentialSampler
from adjoint.utils.data.sampler import SubsetRandomSampler as SubsetRandomSampler
from adjoint.utils.data.sampler import WeightedRandomSampler as WeightedRandomSampler
from adjoint.utils.data.worker import get_worker_info as get_worker_info
