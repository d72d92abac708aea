"""Feeds and asks mem0 through its library: `index URL MODEL STORE NAME=FOLDER…` or `serve URL MODEL STORE`.

Each list item becomes a memory as it stands (`infer=False`: no model rewrites it). `serve` answers lines of
{"user", "question", "limit"} with {"texts"}.
"""

import json
import sys
from pathlib import Path

from mem0 import Memory

verb, url, model, store, *folders = sys.argv[1:]
embedder = {"model": model, "api_key": "none", "openai_base_url": url}
vectors = {"path": store, "embedding_model_dims": 384, "on_disk": True}
settings = {
    "embedder": {"provider": "openai", "config": embedder},
    "vector_store": {"provider": "qdrant", "config": vectors},
    # Never asked, since nothing is inferred; it is made all the same, and wants a key.
    "llm": {"provider": "openai", "config": {"api_key": "none"}},
}
memory = Memory.from_config(settings)
if verb == "index":
    for user, _, folder in (one.partition("=") for one in folders):
        for file in sorted(Path(folder).rglob("*.md")):
            lines = file.read_text(encoding="utf-8").splitlines()
            items = [{"role": "user", "content": line[2:]} for line in lines if line.startswith("- ")]
            memory.add(items, user_id=user, infer=False)
else:
    for line in sys.stdin:
        asked = json.loads(line)
        found = memory.search(asked["question"], filters={"user_id": asked["user"]}, top_k=asked["limit"])
        print(json.dumps({"texts": [result["memory"] for result in found["results"]]}), flush=True)
