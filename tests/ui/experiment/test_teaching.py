"""Teaching a model one's own pieces on the Experiment page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.errors import FileError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.study import study_folder
from musicrel.presentation.compose import models
from musicrel.score import files
from musicrel.ui.experiment.teach_view import TeachView
from musicrel.ui.widgets.two_lines import SECOND_LINE
from tests.helpers.music import random_chorale
from tests.ui.conftest import CHOICES
from tests.ui.experiment.study_app import SOON, page
from tests.ui.user import User


@pytest.fixture
def view(user: User) -> TeachView:
    form = page(user.app).form
    user.wait(lambda: bool(form.plan.text()), timeout=SOON)  # its check would outlive the test
    page(user.app).list.teach.click()
    user.wait(page(user.app).teaching.isVisible)
    return page(user.app).teaching


def pieces(folder: Path, number: int) -> Path:
    folder.mkdir()
    for seed in range(number):
        files.write(random_chorale(seed, 32), folder / f"{seed:02}.json")
    return folder


def listed(view: TeachView) -> list[tuple[str, str]]:
    rows = map(view.files.item, range(view.files.count()))
    return [(row.text(), row.data(SECOND_LINE)) for row in rows]


def test_without_a_folder_there_is_nothing_to_teach(view: TeachView) -> None:
    assert not view.teach.isEnabled()
    assert view.teach.toolTip() == "Choose a folder first"


def test_each_file_is_listed_with_what_became_of_it(
    view: TeachView, user: User, tmp_path: Path
) -> None:
    folder = pieces(tmp_path / "mine", 3)
    (folder / "broken.mid").write_bytes(b"MThd")

    view.folder.setText(str(folder))

    user.wait(lambda: bool(view.problem.text()), timeout=SOON)
    names, fates = zip(*listed(view), strict=True)
    assert names == ("00.json", "01.json", "02.json", "broken.mid")
    assert " minor, 4/4, 2 bars, 4 voices; for " in fates[1]
    assert fates[3].startswith("Not used: ")
    assert view.summary.text().startswith("3 of 4 files can be used")
    assert view.problem.text().endswith("more pieces")
    assert not view.teach.isEnabled()


def test_a_folder_that_cannot_be_read_is_refused_and_another_one_read(
    view: TeachView, user: User, tmp_path: Path
) -> None:
    view.folder.setText(str(tmp_path / "nowhere"))
    user.wait(lambda: "there is no folder" in view.problem.text().lower(), timeout=SOON)

    view.folder.setText(str(pieces(tmp_path / "mine", 40)))
    user.wait(view.teach.isEnabled, timeout=SOON)
    assert view.problem.isHidden()


def test_teach_starts_a_run_that_is_shown(view: TeachView, user: User, tmp_path: Path) -> None:
    folder = pieces(tmp_path / "mine", 40)
    view.folder.setText(str(folder))
    user.wait(view.teach.isEnabled, timeout=SOON)
    assert view.name.text() == "mine"
    view.name.setText("My hymns")

    view.teach.click()

    user.wait(page(user.app).study.isVisible, timeout=SOON)
    (run,) = study_folder.known_folders()
    made = recipe.load(str(run / "recipe.toml"))
    assert made.name == run.name == "My-hymns"
    assert made.data.source == f"replay:folder:{folder}"
    assert made.training.init_from == "models/relative"


def test_after_an_error_it_can_be_tried_again(
    view: TeachView, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.folder.setText(str(pieces(tmp_path / "mine", 40)))
    user.wait(view.teach.isEnabled, timeout=SOON)

    def refuse(*_: object) -> Path:
        raise FileError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(study_folder, "unused_folder", refuse)
        view.teach.click()
        user.wait(lambda: view.problem.text() == "The disk is full", timeout=SOON)
        assert view.teach.isEnabled()

    view.teach.click()
    user.wait(page(user.app).study.isVisible, timeout=SOON)
    assert view.problem.isHidden()


def test_a_style_is_offered_in_the_form_when_its_run_has_ended(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught = replace(CHOICES[0], name="mine", title="mine · 1.2 M", style="mine")
    monkeypatch.setattr(models, "installed", lambda: ((*CHOICES, taught), ()))
    assert user.form.style_box.findText("mine") < 0

    user.app.studies.ended.emit()

    assert user.form.style_box.findText("mine") == 1
    assert user.form.style_box.currentText() == "Bach"
