"""Imports the families that `import adjoint` needs; `late.py` says what becomes of the others."""

from adjoint.operators import aliases as aliases
from adjoint.operators import arithmetic as arithmetic
from adjoint.operators import choosing as choosing
from adjoint.operators import comparison as comparison
from adjoint.operators import complexes as complexes
from adjoint.operators import conversion as conversion
from adjoint.operators import elementary as elementary
from adjoint.operators import filling as filling
from adjoint.operators import indexing as indexing
from adjoint.operators import joining as joining
from adjoint.operators import products as products
from adjoint.operators import reductions as reductions
from adjoint.operators import scattering as scattering
from adjoint.operators import shapes as shapes
from adjoint.operators import slicing as slicing
from adjoint.operators import transposes as transposes
