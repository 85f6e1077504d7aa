"""Tests of the options that choose a runner."""

from __future__ import annotations

import argparse

import pytest

from musicrel.cli.options import arguments, runner_options
from musicrel.cli.options.runner_options import RunnerOptions
from musicrel.experiment.runners.runner_choice import AUTO, RAY, RunnerChoice


def options(*words: str) -> RunnerOptions:
    """Return the options of a command line."""
    parser = argparse.ArgumentParser()
    runner_options.add(parser)
    arguments.add_device(parser)
    return arguments.typed(parser.parse_args(words), RunnerOptions)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("", RunnerChoice()),
        ("--jobs 3", RunnerChoice(jobs=3)),
        ("--jobs auto", RunnerChoice(jobs=AUTO)),
        ("--runner here", RunnerChoice()),
        ("--runner ray", RunnerChoice(runner=RAY, jobs=AUTO)),
        ("--runner ray --jobs 9 --address head:1 --fetch --gpus 0.5",
         RunnerChoice(runner=RAY, jobs=9, address="head:1", fetch=True, gpus=0.5)),
    ],
)  # fmt: skip
def test_the_folder_keeps_the_runner_of_the_command_line(words: str, chosen: RunnerChoice) -> None:
    """Its options give the same choice again."""
    assert runner_options.choice(options(*words.split())) == chosen
    assert runner_options.choice(options(*chosen.options)) == chosen
