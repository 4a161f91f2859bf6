"""Ratings added up block by block, in memory that does not grow with their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from penalized_bandits.datasets.errors import RatingsFormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from penalized_bandits.datasets.rating_lines import Ratings


class OutOfOrderError(Exception):
    """The users of a file do not ascend, as was assumed; not an error of the user's."""


class Tally:
    """How often each movie was given each rating, and by how many users.

    A user who rates a movie twice is an error. To find one, the ratings of a user have
    to be looked at together. All MovieLens releases but 100K are ordered by user, as
    their READMEs say; then those of the last user are all that is kept.

    Parameters
    ----------
    movies : ndarray of int64, shape (K,)
        Ids of the movies that may be rated, ascending.
    n_levels : int
        Number of possible ratings.
    place : str
        Archive and member, for messages.
    member : str
        Name of the file of movies, for messages.
    ordered : bool
        Whether users ascend. If not, 12 bytes of each rating are kept, and about 40
        are needed at the end.
    """

    def __init__(
        self, movies: NDArray[np.int64], n_levels: int, place: str, member: str, *, ordered: bool
    ) -> None:
        self.counts = np.zeros((len(movies), n_levels), dtype=np.int64)
        """Shape (K, number of levels)."""
        self._movies = movies
        self._place = place
        self._member = member
        self._ordered = ordered
        self._first_line = 0
        self._n_users = 0
        self._kept: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []

    def add(self, ratings: Ratings) -> None:
        """Add the ratings of consecutive lines, which follow those of the last call.

        Raises
        ------
        RatingsFormatError
            If a movie is not known or a user rates one again; the message names line,
            user and movie.
        OutOfOrderError
            If users do not ascend though they should.
        """
        codes = self._codes(ratings)
        cells = codes.astype(np.intp) * self.counts.shape[1] + ratings.level_codes
        self.counts += np.bincount(cells, minlength=self.counts.size).reshape(self.counts.shape)
        if not self._ordered:
            self._first_line = self._first_line or ratings.first_line
            self._kept.append((ratings.users, codes))
            return
        before = len(self._kept[0][0]) if self._kept else 0
        users, codes = self._with_kept(ratings.users, codes)
        steps = np.diff(users)
        if (steps < 0).any():
            raise OutOfOrderError
        self._check(users, codes, ratings.first_line - before)
        # The last user of the block before is the first one here.
        self._n_users += int((steps > 0).sum()) + (before == 0)
        last = int(np.searchsorted(users, users[-1]))
        self._kept = [(users[last:].copy(), codes[last:].copy())]

    def finish(self) -> int:
        """Return the number of users, after the last block.

        Raises
        ------
        RatingsFormatError
            If users did not have to ascend, and one rates a movie again.
        """
        if not self._ordered:
            users, codes = self._with_kept()
            self._kept = []
            self._check(users, codes, self._first_line)
            self._n_users = len(np.unique(users))
        return self._n_users

    def _codes(self, ratings: Ratings) -> NDArray[np.int32]:
        """Return the index of each rating's movie, shape (n,)."""
        codes = np.searchsorted(self._movies, ratings.movies)
        known = codes < len(self._movies)
        known[known] = self._movies[codes[known]] == ratings.movies[known]
        if not known.all():
            row = int(known.argmin())
            raise RatingsFormatError(
                f"{self._place}: line {row + ratings.first_line}: movie {ratings.movies[row]} is "
                f"not in {self._member}; expected every rated movie there"
            )
        return codes.astype(np.int32)

    def _with_kept(
        self, *new: NDArray[np.int64] | NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return users and movies of what is kept, and of what is new."""
        parts = [*self._kept, new] if new else self._kept
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _check(self, users: NDArray[np.int64], codes: NDArray[np.int32], first_line: int) -> None:
        """Name the first line in which a user rates a movie again."""
        # Stable: of two that are alike the later line comes last.
        order = np.lexsort((codes, users))
        users, codes = users[order], codes[order]
        again = (users[1:] == users[:-1]) & (codes[1:] == codes[:-1])
        if again.any():
            row = int(order[1:][again].min())
            at = int(np.flatnonzero(order == row)[0])
            raise RatingsFormatError(
                f"{self._place}: line {row + first_line}: user {users[at]} rates movie "
                f"{self._movies[codes[at]]} again; expected one rating per user and movie"
            )
