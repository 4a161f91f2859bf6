"""Section ``movielens`` of the config: which ratings, and where they come from."""

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from penalized_bandits.common.section import Section, brief

if TYPE_CHECKING:
    from penalized_bandits.datasets.manifest import Dataset


def _local_path(path: str) -> str:
    # Snakemake takes what stands in braces for a wildcard, in whatever way it is given; and
    # between backticks captions and notebooks show names as they are.
    if not path.strip() or not path.isprintable() or set(path) & set("{}`"):
        raise ValueError(
            "must be the path of a file, without braces, backticks, line breaks or other "
            "characters that cannot be printed: rename the file or its folder"
        )
    return path


LocalPath = Annotated[str, Field(max_length=4000), AfterValidator(_local_path)]
"""A file of the user's own."""


class RatingsTable(Section):
    """A ratings table of one's own, CSV or Parquet."""

    path: LocalPath
    user: str = "user"
    """Column of user ids."""
    item: str = "item"
    """Column of item ids."""
    rating: str = "rating"
    """Column of ratings."""
    title: str | None = None
    """Column of titles, where there is one."""


DEFAULT_DATASET = "movielens_1m"


def _dataset(name: str) -> "Dataset":
    # Every job would take the time that this import takes.
    from penalized_bandits.datasets.manifest import load_manifest

    datasets = load_manifest()
    if name not in datasets:
        raise ValueError(f"unknown data set {brief(name)}: known are {', '.join(datasets)}")
    return datasets[name]


def _known_dataset(name: str) -> str:
    return name if name == DEFAULT_DATASET else _dataset(name).name


class MovieLens(Section):
    """Section ``movielens`` of the config: which ratings, and where they come from."""

    dataset: Annotated[str, AfterValidator(_known_dataset)] = DEFAULT_DATASET
    """Name in the manifest of data sets; says nothing of a table of one's own."""
    source: Literal["auto", "download", "archive", "bundled", "table"] = "auto"
    archive: LocalPath | None = None
    """Path of a local archive of the data set, for ``source: archive``."""
    table: RatingsTable | None = None
    """For ``source: table``."""
    url: str | None = None
    """Where to download from, instead of the manifest's URL; the checksum stays."""
    timeout_seconds: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)] = 10
    retries: Annotated[int, Field(ge=0, le=10)] = 2

    @model_validator(mode="after")
    def _has_what_the_source_needs(self) -> Self:
        if self.source == "archive" and self.archive is None:
            name = _dataset(self.dataset).archive_name
            raise ValueError(f"source is 'archive', so movielens.archive must be a path to {name}")
        if self.source == "table" and self.table is None:
            raise ValueError("source is 'table', so movielens.table must say path and columns")
        if self.dataset != DEFAULT_DATASET:
            if self.source == "table":
                raise ValueError(
                    f"source is 'table', so dataset must be left out: {self.dataset} is not it"
                )
            if self.source == "bundled" and _dataset(self.dataset).bundled is None:
                raise ValueError(
                    f"source is 'bundled', but no counts of {self.dataset} are bundled: it must "
                    "be 'download', or 'archive' with a local copy"
                )
        return self
