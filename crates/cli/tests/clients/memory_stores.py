"""Calls the memory stores of a server with the official SDK of Anthropic.

The arguments are the address of the server and a token. Prints what came back as one line of JSON. The SDK reads
every answer into its own types.
"""

import json
import sys

import anthropic


def main() -> None:
    url, token = sys.argv[1:]
    client = anthropic.Anthropic(api_key=token, base_url=url, max_retries=0)
    stores = client.beta.memory_stores
    got = {"stores": [store.id for store in stores.list()], "store": stores.retrieve("main").type}
    made = stores.memories.create("main", path="/topics/tea.md", content="Green tea.", view="full")
    got["made"] = [made.type, made.path, made.content]
    read = stores.memories.retrieve(made.id, memory_store_id="main")
    got["read"] = [read.id == made.id, read.content_sha256 == made.content_sha256, read.content]

    def over(version: str, content: str):
        precondition = {"type": "content_sha256", "content_sha256": version}
        return stores.memories.update(
            made.id, memory_store_id="main", content=content, precondition=precondition, view="full"
        )

    changed = over(made.content_sha256, "Black tea.")
    got["changed"] = changed.content
    try:
        over(made.content_sha256, "No tea.")
    except anthropic.ConflictError as error:
        got["late"] = [error.status_code, error.body["error"]["type"]]
    got["listed"] = sorted(item.path for item in stores.memories.list("main", path_prefix="/topics/"))
    versions = list(stores.memory_versions.list("main", memory_id=made.id, view="full"))
    got["versions"] = [[version.operation, version.content] for version in versions]
    version = stores.memory_versions.retrieve(versions[0].id, memory_store_id="main")
    got["version"] = version.id == versions[0].id
    gone = stores.memories.delete(made.id, memory_store_id="main", expected_content_sha256=changed.content_sha256)
    got["gone"] = [gone.type, gone.id == made.id]
    try:
        stores.memories.retrieve(made.id, memory_store_id="main")
    except anthropic.NotFoundError as error:
        got["after"] = error.status_code
    stores.memories.create("main", path="/topics/tea.md", content="Mint tea.")
    got["lineage"] = [version.operation for version in stores.memory_versions.list("main", memory_id=made.id)]
    print(json.dumps(got))


main()
