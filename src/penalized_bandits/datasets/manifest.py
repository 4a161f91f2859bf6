"""Manifest of the rating data sets: where each is, how it is laid out, what is known."""

from functools import cache
from importlib import resources
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, StringConstraints

Md5 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Level = Annotated[str, StringConstraints(pattern=r"^[0-9]+(\.[0-9]+)?$")]
Text = Annotated[str, StringConstraints(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RatingsLayout(_Strict):
    """Layout of the file of ratings: user, movie, rating and time on each line."""

    member: Text
    """Path inside the archive."""
    separator: Literal["::", "\t", ","]
    """What stands between two fields."""
    header: str | None = None
    """The first line, if the file has a header."""


class MoviesLayout(_Strict):
    """Layout of the file of movies: id, title and further fields on each line."""

    member: Text
    separator: Literal["::", "|", ","]
    encoding: Literal["latin-1", "utf-8"]
    fields: int = Field(ge=2)
    """Number of fields on a line."""
    quoted: bool = False
    """Whether fields may stand in double quotes, as in CSV."""
    header: str | None = None


class Published(_Strict):
    """What is known of a whole data set; ``movies_above`` maps m0 to movies above it."""

    n_ratings: PositiveInt
    n_movies: PositiveInt
    n_users: PositiveInt
    movies_above: dict[int, int] = {}


class Bundled(_Strict):
    """Bundled table of counts: all movies with more than ``above`` ratings."""

    file: FileName
    above: int = Field(ge=0)


class Dataset(_Strict):
    """One rating data set of the manifest."""

    name: Text
    """Key in the manifest."""
    title: Text
    url: Text
    md5: Md5
    archive_name: FileName
    """File name of the archive in the folder for downloads."""
    max_archive_bytes: PositiveInt
    max_member_bytes: PositiveInt
    """Largest size of one uncompressed member."""
    levels: tuple[Level, ...] = Field(min_length=1)
    """Ratings as the file spells them, ascending."""
    ratings: RatingsLayout
    movies: MoviesLayout
    published: Published | None = None
    bundled: Bundled | None = None
    licence: Text
    citation: Text

    @property
    def level_values(self) -> tuple[float, ...]:
        """Ratings as numbers, ascending."""
        return tuple(float(level) for level in self.levels)


@cache
def load_manifest() -> dict[str, Dataset]:
    """Return the data sets of the packaged ``manifest.yaml`` by name."""
    path = resources.files("penalized_bandits.datasets") / "manifest.yaml"
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {name: Dataset(name=name, **entry) for name, entry in entries.items()}
