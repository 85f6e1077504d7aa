"""The form of a study, from TOML and back, and the texts about its nodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.runners.runner_choice import RAY, RunnerChoice
from musicrel.experiment.runs.events import Node, RunLost
from musicrel.experiment.study import study, study_folder, study_form, study_text
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.study_status import State, StudyStatus
from musicrel.experiment.study.study_text import NodeRow

SHIPPED = sorted((paths.assets() / "studies").glob("*.toml"))
QUICK = (paths.assets() / "studies/quick.toml").read_text()
SCHEMES = (("sinusoidal", "sinusoids"), ("relative", "distances"), ("rope", "turned"))
LOST, LEFT = Node(name="a", cpus=1, alive=False), Node(name="b", cpus=4, gpus=1)
PLACES = {
    ("vanilla", 2, None): "b",
    ("vanilla", 0, None): "b",
    ("relative", 1, None): "b",
    ("relative", 0, 0.001): "b",
}


def on_cluster(*nodes: Node, places: dict[Any, str] | None = None, **values: Any) -> StudyStatus:
    runs = tuple(RunStatus(arm=arm, seed=seed, folder=Path(f"{arm}{seed}"))
                 for seed in range(3) for arm in ("vanilla", "relative"))  # fmt: skip
    shared: dict[str, Any] = {"state": "running", "runner": RunnerChoice(runner=RAY)}
    shared |= {"nodes": nodes, "places": places or {}, **values}
    return StudyStatus(folder=Path("study"), name="study", kind="study", runs=runs, **shared)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_study_that_is_not_edited_stays_as_it_is(path: Path) -> None:
    text = path.read_text()
    edited = study_form.text(study_form.offering(study_form.read(text), SCHEMES))

    assert study.parse(edited, "edited").runs == study.parse(text, "shipped").runs


def test_what_is_typed_is_what_the_engine_reads() -> None:
    form = study_form.read(QUICK)
    typed = replace(
        form, name="mine", seeds="0, 3-5", amount="1,000", unit="steps", source="jsb",
        path="JSB16.json", numbers={"width": "32", "heads": "2", "window": ""},
    )  # fmt: skip
    found = study.parse(study_form.text(typed), "typed")

    assert (found.name, found.seeds) == ("mine", (0, 3, 4, 5))
    recipe = found.arms[0].recipe
    assert (recipe.model.width, recipe.training.steps) == (32, 1000)
    assert (recipe.data.source, recipe.data.window) == ("jsb:JSB16.json", 1024)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"amount": "1,5"}, r"budget is \{'tokens': '1,5'\}: expected a number"),
        ({"seeds": "0-9999"}, "has 20,000 runs: expected at most 1,000"),
        ({"numbers": {"width": "wide"}}, "model.width is 'wide': expected a whole number"),
        ({"arms": ()}, r"there are fewer than two \[\[arms\]\]: expected at least two"),
    ],
)
def test_engine_answers_what_is_wrong(changes: dict[str, object], sentence: str) -> None:
    form = replace(study_form.read(QUICK), **changes)  # type: ignore[arg-type]

    with pytest.raises(UsageError, match=sentence):
        study.parse(study_form.text(form), "typed")


def test_every_scheme_is_offered_as_an_arm() -> None:
    alone = '[[arms]]\nname = "mine"\nscheme = "rope"\n'
    offered = study_form.offering(study_form.read(alone), SCHEMES)

    assert [(arm.name, arm.chosen) for arm in offered.arms] == [
        ("mine", True), ("vanilla", False), ("relative", False),
    ]  # fmt: skip
    assert [arm.description for arm in offered.arms] == ["turned", "sinusoids", "distances"]
    assert study_form.offering(offered, SCHEMES) == offered


def test_pairs_of_arms_that_are_not_ticked_are_left_out() -> None:
    form = study_form.read(
        'pairs = [["a", "b"], ["a", "c"]]\n'
        + "".join(f'[[arms]]\nname = "{name}"\nscheme = "rope"\n' for name in "abc")
    )
    fewer = replace(form, arms=(*form.arms[:2], replace(form.arms[2], chosen=False)))

    assert study_form.read(study_form.text(fewer)).rest["pairs"] == [["a", "b"]]
    assert "pairs" not in study_form.read(study_form.text(replace(form, arms=()))).rest


def test_the_comment_at_the_top_describes_a_study() -> None:
    assert study_form.about("# Two\n# lines.\nname = 1") == "Two lines."
    assert study_form.about("name = 1") == ""


def test_bundled_studies_are_described_as_at_their_tops() -> None:
    found = {path.stem: study_folder.text(path) for path in study_folder.templates()}
    assert {name: study_form.about(text) for name, text in found.items()} == study_form.DESCRIPTIONS


def test_a_node_has_its_size_and_its_runs_by_arm() -> None:
    assert study_text.nodes(on_cluster(LOST, LEFT, places=PLACES)) == (
        NodeRow(
            title="b",
            text="4 processors, 1 GPU: Vanilla, seeds 0, 2; Relative, seed 1; "
            "Relative, learning rate 0.001",
        ),
        NodeRow(title="a", text="lost; its runs resume on other nodes", lost=True),
    )
    free = study_text.nodes(on_cluster(Node(name="c", cpus=1)))
    assert free == (NodeRow(title="c", text="1 processor: free"),)


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (on_cluster(), "Connecting to the cluster …"),
        (on_cluster(LEFT, places=PLACES), "3 runs wait for a place."),
        (on_cluster(LOST), "No node is left. 6 runs wait for a place."),
        (on_cluster(LEFT, state="stopped"), ""),
        (on_cluster(runner=RunnerChoice()), ""),
    ],
)
def test_the_queue_is_what_has_no_node(now: StudyStatus, sentence: str) -> None:
    assert study_text.queue(now) == sentence


def test_no_nodes_are_shown_of_a_study_that_does_not_run() -> None:
    assert study_text.nodes(on_cluster(LEFT, places=PLACES, state="crashed")) == ()


def test_each_loss_is_a_line_of_the_log() -> None:
    losses = (RunLost(arm="relative", seed=1, node="a"),)
    now = on_cluster(losses=losses)
    assert study_text.log(now) == (
        "Relative, seed 1: the node a was lost; the run resumes from its last checkpoint on "
        "another one"
    )


@pytest.mark.parametrize(
    ("state", "chosen"), [("queued", True), ("running", True), ("finished", False), ("gone", False)]
)
def test_a_runner_is_chosen_for_studies_that_go_on(state: State, chosen: bool) -> None:
    now = on_cluster(state=state)
    assert study_text.can_choose(now) is chosen
    assert not study_text.can_choose(replace(now, kind="run"))
