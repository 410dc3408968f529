"""python-plexapi behind a pipe.

Reads one request per line from stdin and answers each with one line on stdout, both JSON:

    {"do": "item", "with": {"item": 3}}  ->  {"ok": {...}} or {"failed": "NotFound: ..."}

Every request is carried out with plexapi's own public methods, so that what reaches the server, and what is read
from its answers, is what any program that is built on plexapi would send and read.
"""
import base64
import io
import json
import sys
from datetime import datetime

import plexapi
import requests
from plexapi.server import PlexServer


class Session:
    """One connection to one server."""

    def __init__(self):
        self.server = None

    def connect(self, url, token):
        session = requests.Session()
        session.trust_env = False  # no proxy on the way to the loopback address
        self.server = PlexServer(url, token, session=session, timeout=20)
        return {
            "name": self.server.friendlyName,
            "version": self.server.version,
            "machine": self.server.machineIdentifier,
            "plexapi": plexapi.VERSION,
        }

    def libraries(self):
        return [
            {"key": section.key, "title": section.title, "type": section.type, "locations": section.locations}
            for section in self.server.library.sections()
        ]

    def all(self, library, pageSize):
        return [listed(item) for item in self._section(library).all(container_size=pageSize)]

    def page(self, library, start, size):
        section = self._section(library)
        items = section.search(container_start=start, container_size=size, maxresults=size)
        return {"titles": [item.title for item in items], "total": section.totalSize}

    def changed(self, library, since):
        """Items that changed after a moment, by plexapi's own filter."""
        moment = datetime.fromtimestamp(since)
        return [item.title for item in self._section(library).search(filters={"updatedAt>>": moment})]

    def find(self, library, fragment):
        """plexapi knows nothing of `file=`, but fetches any address that it is given."""
        section = self._section(library)
        args = plexapi.utils.joinArgs({"type": 1, "file": fragment})
        return [listed(item) for item in section.fetchItems(f"/library/sections/{section.key}/all{args}")]

    def find_here(self, library, ending):
        """The way that plexapi itself offers: everything is fetched, the files are compared by the client."""
        section = self._section(library)
        items = section.fetchItems(f"/library/sections/{section.key}/all?type=1", Media__Part__file__endswith=ending)
        return [listed(item) for item in items]

    def item(self, item):
        return described(self._item(item))

    def several(self, items):
        return [described(item) for item in self.server.fetchItems(items)]

    def edit(self, item, calls, batch=False):
        """`calls` are methods of plexapi with their arguments; with `batch` all of them go out in one request."""
        target = self._item(item)
        if batch:
            target.batchEdits()
        for name, args, options in calls:
            if not name.startswith(("edit", "add", "remove", "lock", "unlock")):
                raise ValueError(f"not an edit: {name}")
            getattr(target, name)(*args, **options)
            if not batch:
                target.reload()
        if batch:
            target.saveEdits()

    def edit_all(self, items, calls):
        """One request for several items."""
        targets = [self._item(item) for item in items]
        section = targets[0].section()
        section.batchMultiEdits(targets)
        for name, args, options in calls:
            getattr(section, name)(*args, **options)
        section.saveMultiEdits()

    def rate(self, item, rating):
        self._item(item).rate(rating)

    def upload(self, item, kind, path=None, bytes=None):
        target = self._item(item)
        source = path if path is not None else io.BytesIO(base64.b64decode(bytes))
        (target.uploadPoster if kind == "poster" else target.uploadArt)(filepath=source)

    def images(self, item, kind):
        return [{"key": image.ratingKey, "selected": image.selected} for image in self._images(item, kind)]

    def select(self, item, kind, key):
        target = self._item(item)
        image = next(image for image in self._images(item, kind) if image.ratingKey == key)
        (target.setPoster if kind == "poster" else target.setArt)(image)

    def scan(self, library, folder):
        self._section(library).update(folder)

    def _section(self, title):
        return self.server.library.section(title)

    def _item(self, key):
        return self.server.fetchItem(key)

    def _images(self, item, kind):
        target = self._item(item)
        return target.posters() if kind == "poster" else target.arts()


def listed(item):
    return {"item": item.ratingKey, "title": item.title, "files": item.locations}


def described(item):
    """All that Sluice writes, as plexapi reads it."""
    date = item.originallyAvailableAt
    return {
        "title": item.title,
        "titleSort": item.titleSort,
        "summary": item.summary or "",
        "tagline": item.tagline or "",
        "studio": item.studio or "",
        "contentRating": item.contentRating or "",
        "originallyAvailableAt": date.strftime("%Y-%m-%d") if date else "",
        "userRating": item.userRating,
        "actors": names(item.roles),
        "directors": names(item.directors),
        "genres": names(item.genres),
        "labels": names(item.labels),
        "collections": names(item.collections),
        "locked": sorted(field.name for field in item.fields if field.locked),
        "thumb": item.thumb or "",
        "art": item.art or "",
        "updatedAt": int(item.updatedAt.timestamp()),
    }


def names(tags):
    return [tag.tag for tag in tags]


def main():
    session = Session()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            if request["do"].startswith("_"):
                raise ValueError("no such request")
            answer = {"ok": getattr(session, request["do"])(**request["with"])}
        except Exception as error:  # whatever it is, the other side decides what it means
            answer = {"failed": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
