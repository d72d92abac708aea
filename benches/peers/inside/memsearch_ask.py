"""Asks memsearch through its library. Lines of {"database", "question", "limit"} are answered with {"texts"}."""

import asyncio
import json
import sys

from memsearch import MemSearch

url, model = sys.argv[1:]


async def serve() -> None:
    opened: dict[str, MemSearch] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        database = asked["database"]
        if database not in opened:
            endpoint = {"embedding_model": model, "embedding_base_url": url, "embedding_api_key": "none"}
            opened[database] = MemSearch(paths=[], embedding_provider="openai", milvus_uri=database, **endpoint)
        results = await opened[database].search(asked["question"], top_k=asked["limit"])
        print(json.dumps({"texts": [result["content"] for result in results]}), flush=True)


asyncio.run(serve())
