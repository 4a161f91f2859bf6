"""The playground: the package's simulator and theory in one page that a browser plays."""
