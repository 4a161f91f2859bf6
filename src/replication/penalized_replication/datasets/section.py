"""Section ``movielens`` of the config: which ratings, and where they come from."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from penalized_replication.common.section import Section

BUNDLED_ABOVE = 300
"""The bundled counts are those of the movies with more ratings than this."""


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
    """Path of a `.csv` or `.parquet` file with one rating per row."""
    user: Annotated[str, Field(min_length=1)] = "user"
    """Column of user ids, by default `user`."""
    item: Annotated[str, Field(min_length=1)] = "item"
    """Column of item ids, by default `item`."""
    rating: Annotated[str, Field(min_length=1)] = "rating"
    """Column of ratings, by default `rating`: numbers from 0, 2 to 1001 different values."""
    title: Annotated[str, Field(min_length=1)] | None = None
    """Column of titles; by default the item ids."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns: user, item, rating and, if there is one, title."""
        return [self.user, self.item, self.rating, *([] if self.title is None else [self.title])]

    def _check(self) -> None:
        if len(set(self.columns)) < len(self.columns):
            raise ValueError(f"columns {self.columns}: must be a different one for each")


class MovieLens(Section):
    """Section ``movielens`` of the config: which ratings, and where they come from."""

    source: Literal["auto", "download", "archive", "bundled", "table"] = "auto"
    """Origin: `download` (MovieLens 1M), `archive` (a local `ml-1m.zip`), `bundled` (counts in this
    repository), `table` (of your own), or `auto`: download, else bundled."""
    archive: LocalPath | None = None
    """Path of the local `ml-1m.zip`."""
    table: RatingsTable | None = None
    """Ratings of your own."""
    url: Annotated[str, Field(pattern="^https?://")] | None = None
    """Address of `ml-1m.zip`; the checksum stays the published one."""

    def _check(self) -> None:
        if self.source == "archive" and self.archive is None:
            raise ValueError(
                "source is 'archive', so movielens.archive must be a path to ml-1m.zip"
            )
        if self.source == "table" and self.table is None:
            raise ValueError("source is 'table', so movielens.table must say path and columns")
