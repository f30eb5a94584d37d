"""The reference records of SVM, and its rules written out for single numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

F = np.float32
TRAINED = ("svm", "svm_poly", "svm_multigauss", "svm_sum", "svm_prod")


@pytest.fixture(params=TRAINED)
def record(request, method_case):
    """Each of TMVA's records of a training in turn."""
    return method_case(request.param)


@pytest.fixture(scope="session")
def edited(method_case):
    """Return ``edited(name, (old, new), ...)``: the text of a record's weight file with changes."""

    def edit(name, *changes):
        text = method_case(name).weights_text
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        return text

    return edit


@pytest.fixture(scope="session")
def naive_kernel():
    """Return ``value(kernel, u, v)``: the kernel of two events, number by number."""

    def single(name, kernel, u, v):
        if name == "MultiGauss":
            r = F(1)
            for a, b, gamma in zip(u, v, kernel.gammas, strict=True):
                r = F(float(r) * math.exp(float(-(a - b) * (a - b) * F(gamma))))
            return r
        if name == "Polynomial":
            s = F(kernel.theta)
            for a, b in zip(u, v, strict=True):
                s = s + a * b
            return F(math.pow(float(s), kernel.order))
        s = F(0)
        for a, b in zip(u, v, strict=True):
            s = s + (a - b) * (a - b)
        return F(math.exp(float(-s * F(kernel.gamma))))

    def value(kernel, u, v):
        values = [single(name, kernel, u, v) for name in kernel.names]
        result = values[0]
        for other in values[1:]:
            result = result * other if kernel.is_product else result + other
        return result

    return value


class NaiveSMO:
    """The training as TMVA does it: every error is a sum over all events, in float32."""

    def __init__(self, K, y, c, tolerance, low, up):  # noqa: N803
        self.K, self.y, self.c = K, y, c
        self.limit = F(2) * F(tolerance)
        n = len(y)
        self.alpha, self.e, self.index = np.zeros(n, F), np.zeros(n, F), y.astype(int)
        self.b_low, self.b_up, self.low, self.up = F(1), F(-1), low, up

    def sweep(self, everything):
        changed = 0
        for j in range(len(self.y)):
            if everything:
                changed += self.examine(j)
            elif self.alpha[j] > 0:
                changed += self.examine(j)
                if self.b_up > self.b_low - self.limit:
                    return 0
        return changed

    def examine(self, j):
        if self.index[j] == 0:
            e = self.e[j]
        else:
            e = F(0)
            for k in np.flatnonzero(self.alpha > 0):
                e = e + self.alpha[k] * self.y[k] * self.K[j, k]
            e = self.e[j] = e - self.y[j]
            if self.index[j] == 1 and e < self.b_up:
                self.b_up, self.up = e, j
            elif self.index[j] == -1 and e > self.b_low:
                self.b_low, self.low = e, j
        i = None
        if self.index[j] >= 0 and self.b_low - e > self.limit:
            i = self.low
        if self.index[j] <= 0 and e - self.b_up > self.limit:
            i = self.up
        if i is None:
            return False
        if self.index[j] == 0:
            i = self.low if self.b_low - e > e - self.b_up else self.up
        return self.step(i, j)

    def bounds(self, i, j):
        a_i, a_j, c_i, c_j = self.alpha[i], self.alpha[j], self.c[i], self.c[j]
        if self.y[i] == self.y[j]:
            g = a_i + a_j
            if c_i > c_j:
                if g < c_j:
                    return F(0), g
                return (F(0) if g < c_i else g - c_i), c_j
            if g < c_i:
                return F(0), g
            return g - c_i, (min(c_j, g))
        g = a_i - a_j
        if g > 0:
            return F(0), (c_i - g if g >= c_i - c_j else c_j)
        return -g, (c_j if c_i - c_j >= g else c_i - g)

    def step(self, i, j):
        if i == j:
            return False
        K, y, eps = self.K, self.y, F(1e-8)  # noqa: N806
        a_i, a_j, e_i, e_j, s = self.alpha[i], self.alpha[j], self.e[i], self.e[j], y[i] * y[j]
        low, high = self.bounds(i, j)
        if low == high:
            return False
        eta = F(2) * K[i, j] - K[i, i] - K[j, j]
        if eta < 0:
            a = a_j + (y[j] * (e_j - e_i)) / eta
            a = low if a < low else min(a, high)
        else:
            p, q = eta / F(2), y[j] * (e_i - e_j) - eta * a_j
            at_low, at_high = p * low * low + q * low, p * high * high + q * high
            a = low if at_low > at_high + eps else high if at_low < at_high - eps else a_j
        if abs(a - a_j) < eps * (a + a_j + eps):
            return False
        b = a_i - s * (a - a_j)
        if b < 0:
            a, b = a + s * b, F(0)
        elif b > self.c[i]:
            a, b = a + s * (b - self.c[i]), self.c[i]
        d_i, d_j = y[i] * (b - a_i), y[j] * (a - a_j)
        for k in np.flatnonzero(self.index == 0):
            self.e[k] = self.e[k] + (d_i * K[i, k] + d_j * K[j, k])
        for k, new in ((i, b), (j, a)):
            self.alpha[k] = new
            self.index[k] = 0 if 0 < new < self.c[k] else y[k] if new == 0 else -y[k]
        self.e[i] = e_i + d_i * K[i, i] + d_j * K[i, j]
        self.e[j] = e_j + d_i * K[i, j] + d_j * K[j, j]
        self.b_low, self.b_up = F(-1e30), F(1e30)
        for k in np.flatnonzero(self.index == 0):
            if self.e[k] > self.b_low:
                self.b_low, self.low = self.e[k], k
            if self.e[k] < self.b_up:
                self.b_up, self.up = self.e[k], k
        larger = max(self.e[i], self.e[j])
        if self.b_low < larger:
            self.low = i if self.e[i] > self.b_low else j
            self.b_low = self.e[self.low]
        if self.b_up > larger:
            self.up = i if self.e[i] < self.b_low else j
            self.b_up = self.e[self.up]
        return True


@pytest.fixture(scope="session")
def naive_smo():
    """Return the class of the naive training."""
    return NaiveSMO
