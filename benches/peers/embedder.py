"""One embedder for every peer: all-MiniLM-L6-v2 behind the interface of OpenAI's embeddings, on this machine.

Peers that search by meaning fetch their models from a hub or ask a provider. Given the same model over the
interface they all speak, they differ by what they do with vectors alone. Run with the Python of a venv that has
numpy, safetensors and tokenizers: `embedder.py MODEL_FOLDER`; it prints its port and serves until stdin ends.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # Batches are small: a second thread waits more than it computes.

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, HEAD_WIDTH = 6, 12, 32
MOST_TOKENS = 256
"""What the model's own settings say: a longer text is cut."""
BATCH_TEXTS = 16


class MiniLm:
    """The model: a text becomes 384 numbers of length one."""

    def __init__(self, folder: Path) -> None:
        weights = load_file(folder / "model.safetensors")
        self.weights = {name.removeprefix("bert."): array for name, array in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MOST_TOKENS)

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row a text. Texts of like length share a batch, so that little padding is computed."""
        tokens = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        rows = np.empty((len(texts), HEADS * HEAD_WIDTH), np.float32)
        for start in range(0, len(order), BATCH_TEXTS):
            batch = order[start : start + BATCH_TEXTS]
            rows[batch] = self._forward([tokens[index] for index in batch])
        return rows

    def _forward(self, tokens: list[list[int]]) -> np.ndarray:
        count, longest = len(tokens), max(map(len, tokens))
        ids = np.zeros((count, longest), np.int64)
        mask = np.zeros((count, longest), np.float32)
        for row, text in enumerate(tokens):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        places = self.weights["embeddings.position_embeddings.weight"][:longest]
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        state = self._normed(words + places + kind, "embeddings.LayerNorm")
        hidden = (1 - mask)[:, None, None, :] * np.float32(-1e9)
        for number in range(LAYERS):
            state = self._layer(state, hidden, f"encoder.layer.{number}.")
        mean = (state * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def _layer(self, state: np.ndarray, hidden: np.ndarray, name: str) -> np.ndarray:
        count, longest, width = state.shape
        query, key, value = (
            self._linear(state, f"{name}attention.self.{part}")
            .reshape(count, longest, HEADS, HEAD_WIDTH)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) * np.float32(HEAD_WIDTH**-0.5) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        context = (scores @ value).transpose(0, 2, 1, 3).reshape(count, longest, width)
        context = self._linear(context, f"{name}attention.output.dense")
        state = self._normed(context + state, f"{name}attention.output.LayerNorm")
        inner = gelu(self._linear(state, f"{name}intermediate.dense"))
        return self._normed(self._linear(inner, f"{name}output.dense") + state, f"{name}output.LayerNorm")

    def _linear(self, state: np.ndarray, name: str) -> np.ndarray:
        flat = state.reshape(-1, state.shape[-1]) @ self.weights[f"{name}.weight"].T
        return (flat + self.weights[f"{name}.bias"]).reshape(*state.shape[:-1], -1)

    def _normed(self, state: np.ndarray, name: str) -> np.ndarray:
        state = state - state.mean(-1, keepdims=True)
        state /= np.sqrt(np.mean(state * state, -1, keepdims=True) + np.float32(1e-12))
        return state * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(x: np.ndarray) -> np.ndarray:
    """x * P(a standard normal < x), by Abramowitz and Stegun 7.1.26 (error below 2e-7)."""
    size = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * size)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    tail *= np.exp(-size * size) * np.float32(0.5)
    return x * np.where(x < 0, tail, 1 - tail)


def serve(model: MiniLm) -> None:
    """Answers `POST …/embeddings` one request after the other, whoever asks."""
    turn = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            with turn:
                rows = model.embed(texts).tolist()
            data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            body = json.dumps({"object": "list", "model": asked["model"], "data": data, "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing: what is asked is somebody's notes."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(MiniLm(Path(sys.argv[1])))
