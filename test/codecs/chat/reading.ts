import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { Collector } from '../../../src/generate/collect.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { parseData, readEvents } from '../../../src/translate/read-events.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { contextFor, neutral } from './asking.ts'
import { framesTo } from '../frame-sink.ts'

/** A chunk of an account's stream with one choice. */
export function chunk(
  delta: JsonObject,
  choice: JsonObject = {},
  rest: JsonObject = {},
): JsonObject {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }],
    ...rest,
  }
}

export function finish(reason: string, rest: JsonObject = {}): JsonObject {
  return chunk({}, { finish_reason: reason }, rest)
}

/** What an account's stream means, `[DONE]` and its end included unless it is left open. */
export function eventsIn(
  chunks: readonly JsonObject[],
  { request = {}, ending = 'done' }: Reading = {},
): GenerateEvent[] {
  const events: GenerateEvent[] = []
  const decoder = chatCodec.decodeEvents(neutral(request), (event) => events.push(event))
  for (const data of chunks) decoder.decode(data, '')
  if (ending === 'done') decoder.done?.()
  if (ending !== 'open') decoder.end?.()
  return events
}

export interface Reading {
  readonly request?: Partial<GenerateRequest>
  readonly ending?: 'done' | 'end' | 'open'
}

/** The reply that events make. */
export function collected(events: readonly GenerateEvent[]): GenerateResult {
  const collector = new Collector()
  for (const event of events) collector.collect(event)
  if (!collector.result) throw new Error('The stream is not complete.')
  return collector.result
}

/** The reply in an account's stream. */
export function streamed(chunks: readonly JsonObject[], reading?: Reading): GenerateResult {
  return collected(eventsIn(chunks, reading))
}

/** An account's completion with one choice. */
export function completion(message: JsonObject, choice: JsonObject = {}, rest: JsonObject = {}) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt',
    choices: [
      { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...choice },
    ],
    ...rest,
  }
}

/** What it means. */
export function read(reply: JsonObject, request: Partial<GenerateRequest> = {}): GenerateResult {
  const result = chatCodec.decodeResult(reply, neutral(request))
  if ('type' in result) throw new Error(result.message)
  return result
}

/** What a client is streamed. */
export function framesFor(events: readonly GenerateEvent[], body: JsonObject = {}): string {
  let frames = ''
  const encoder = chatCodec.encodeEvents(
    contextFor(body),
    framesTo((more) => {
      frames += more
    }),
  )
  for (const event of events) if (event.type !== 'error') encoder.encode(event)
  return frames
}

/** The JSON of frames, and whether they end with `[DONE]`. */
export function parsed(frames: string): { chunks: JsonObject[]; isDone: boolean } {
  const chunks: JsonObject[] = []
  let isDone = false
  const sink = {
    data: (text: string) => void chunks.push(parseData(text)),
    done: () => {
      isDone = true
    },
  }
  readEvents(Buffer.from(frames), sink, sse)
  return { chunks, isDone }
}
