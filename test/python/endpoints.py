"""Calls each endpoint of the gateway by openai-python; prints a line for each call."""

import io
import json
import os
import sys

import openai

url, key = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"]
client = openai.OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)
stranger = openai.OpenAI(api_key="wrong", base_url=f"{url}/v1", max_retries=0)
model = "sandbox/echo"
results = {"passed": 0, "failed": 0}


def check(name):
    def run(call):
        try:
            call()
            outcome, why = "passed", ""
        except Exception as error:  # A failure of one call is a line of the report.
            outcome, why = "failed", f": {type(error).__name__} {error}"
        results[outcome] += 1
        print(f"{outcome} {name}{why}", flush=True)

    return run


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def refused(error, call, status):
    try:
        call()
    except error as known:
        expect(known.status_code == status, f"status {known.status_code}")
    else:
        raise AssertionError("no error")


def named(name, content=b"\0" * 32_000):
    file = io.BytesIO(content)
    file.name = name
    return file


@check("embeddings, as base64 by default")
def _():
    reply = client.embeddings.create(model=model, input=["a cat", "a dog"])
    expect([one.index for one in reply.data] == [0, 1], reply)
    expect(isinstance(reply.data[0].embedding[0], float), reply)
    floats = client.embeddings.create(model=model, input="a cat", encoding_format="float")
    expect(len(floats.data[0].embedding) == len(reply.data[0].embedding), floats)
    expect(reply.usage.prompt_tokens > 0, reply)


@check("completions, whole and streamed")
def _():
    asked = {"model": model, "prompt": "a cat", "max_tokens": 50}
    whole = client.completions.create(**asked)
    pieces = client.completions.create(**asked, stream=True)
    expect("".join(one.choices[0].text for one in pieces) == whole.choices[0].text, whole)


@check("moderations")
def _():
    reply = client.moderations.create(model=model, input=["a cat", "an attack"])
    expect([one.flagged for one in reply.results] == [False, True], reply)


@check("images")
def _():
    reply = client.images.generate(model="gpt-image-1", prompt="a cat")
    expect(reply.data[0].b64_json, reply)


@check("speech, whole and by events")
def _():
    asked = {"model": "tts-1", "input": "Hello", "voice": "alloy"}
    whole = client.audio.speech.create(**asked).read()
    with client.audio.speech.with_streaming_response.create(**asked) as streamed:
        expect(b"".join(streamed.iter_bytes()) == whole, "other bytes")


@check("transcriptions in each form, and streamed")
def _():
    for form in ["json", "text", "srt", "verbose_json", "vtt"]:
        reply = client.audio.transcriptions.create(
            model="whisper-1", file=named("talk.mp3"), response_format=form
        )
        expect("sandbox" in (reply if isinstance(reply, str) else reply.text), reply)
    events = client.audio.transcriptions.create(
        model="gpt-4o-transcribe", file=named("talk.mp3"), stream=True
    )
    expect([one.type for one in events][-1] == "transcript.text.done", "no end")


@check("translations")
def _():
    expect(client.audio.translations.create(model="whisper-1", file=named("talk.mp3")).text, "")


def line(number):
    body = {"model": model, "messages": [{"role": "user", "content": f"Hello {number}"}]}
    request = {"custom_id": number, "method": "POST", "url": "/v1/chat/completions", "body": body}
    return json.dumps(request)


@check("files")
def _():
    lines = b'{"messages": []}\n'
    file = client.files.create(file=named("a.jsonl", lines), purpose="fine-tune")
    expect(client.files.retrieve(file.id).bytes == len(lines), file)
    expect(client.files.content(file.id).read() == lines, file)
    expect(file.id in [one.id for one in client.files.list()], "not listed")
    expect(client.files.delete(file.id).deleted, file)
    refused(openai.NotFoundError, lambda: client.files.retrieve(file.id), 404)


@check("uploads in parts")
def _():
    upload = client.uploads.create(
        bytes=5, filename="a.txt", mime_type="text/plain", purpose="user_data"
    )
    part = client.uploads.parts.create(upload.id, data=b"hello")
    done = client.uploads.complete(upload.id, part_ids=[part.id])
    expect(done.file.bytes == 5, done)


@check("batches")
def _():
    lines = named("lines.jsonl", f"{line('1')}\n{line('2')}\n".encode())
    file = client.files.create(file=lines, purpose="batch")
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h"
    )
    while batch.status not in ["completed", "failed", "cancelled", "expired"]:
        batch = client.batches.retrieve(batch.id)
    expect(batch.request_counts.completed == 2, batch)
    output = client.files.content(batch.output_file_id).text
    expect([json.loads(one)["custom_id"] for one in output.split("\n") if one] == ["1", "2"], output)
    expect(batch.id in [one.id for one in client.batches.list()], "not listed")


@check("a path that passes")
def _():
    raw = client.get("/vector_stores", cast_to=object)
    expect(raw == {"passed": True}, raw)


@check("errors by their types")
def _():
    refused(openai.AuthenticationError, lambda: stranger.models.list(), 401)
    refused(openai.NotFoundError, lambda: client.embeddings.create(model="nowhere", input="a"), 404)
    refused(openai.BadRequestError, lambda: client.embeddings.create(model=model, input=[]), 400)
    refused(openai.BadRequestError, lambda: client.moderations.create(model=model, input=[]), 400)
    missing = named("lines.jsonl", b"{}\n")
    refused(openai.BadRequestError, lambda: client.files.create(file=missing, purpose="batch"), 400)
    refused(openai.NotFoundError, lambda: client.batches.retrieve("batch_unknown"), 404)
    limited = "sandbox/status=429"
    refused(openai.RateLimitError, lambda: client.embeddings.create(model=limited, input="a"), 429)


print(f"{results['passed']} passed, {results['failed']} failed")
sys.exit(1 if results["failed"] else 0)
