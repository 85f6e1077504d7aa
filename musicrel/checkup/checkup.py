"""The check of a device, as a job: all models and training, one check after the other.

A check that fails does not keep the others from being tried.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from musicrel.checkup import causal_checks, critic_checks, infill_checks, training_checks
from musicrel.checkup.findings import Check, Checking, Finding, NotTriedError, Verdict
from musicrel.checkup.subject import Subject
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.model import catalogue, devices
from musicrel.model.card import read_card

_FAILURES: Final = (MusicrelError, RuntimeError, TypeError, MemoryError, OSError)
"""Errors that are findings; torch has no class of its own, and MPS refuses float64 as TypeError."""


def check(device: str = "auto", threads: int = 1) -> Job[Checking | Finding, list[Finding]]:
    devices.use_threads(threads)
    return (yield from run_checks(all_checks(devices.resolve(device), threads)))


def all_checks(device: str, threads: int) -> list[Check]:
    """Return the checks of all shipped models and of training."""
    found: list[Check] = []
    for folder in filter(catalogue.is_shipped, catalogue.model_directories()):
        if folder.name == catalogue.CRITIC:
            found += critic_checks.checks(folder, device)
        else:
            found += _model_checks(folder, device, threads)
    return found + training_checks.checks(device, threads)


def _model_checks(folder: Path, device: str, threads: int) -> list[Check]:
    """Return the checks of a model of notes; the first one that needs the model loads it."""
    subject = Subject(folder, device, threads)
    is_causal = read_card(folder).config.is_causal
    works = causal_checks.CHECKS if is_causal else infill_checks.CHECKS
    return [
        Check(subject=folder.name, name=name, work=partial(work, subject))
        for name, work in works.items()
    ]


def run_checks(checks: Sequence[Check]) -> Job[Checking | Finding, list[Finding]]:
    """Try some checks in order; yields an event before each, and its finding."""
    findings: list[Finding] = []
    for number, one in enumerate(checks, 1):
        yield Checking(number=number, total=len(checks), subject=one.subject, name=one.name)
        findings.append(_finding(one))
        yield findings[-1]
    return findings


def _finding(one: Check) -> Finding:
    began = time.perf_counter()
    figure, limit = None, None
    verdict: Verdict
    try:
        outcome = one.work()
    except NotTriedError as reason:
        verdict, text = "not tried", str(reason)
    except _FAILURES as reason:
        verdict, text = "failed", str(reason).partition("\n")[0] or type(reason).__name__
    else:
        verdict, text = "passed" if outcome.passed else "failed", outcome.finding
        if outcome.figure is not None:
            figure, limit = outcome.figure, outcome.limit
    return Finding(
        subject=one.subject,
        name=one.name,
        verdict=verdict,
        finding=text,
        figure=figure,
        limit=limit,
        seconds=round(time.perf_counter() - began, 3),
    )
