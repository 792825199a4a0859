import type { JsonObject } from '../../../src/lib/json/object.ts'
import { readFrames } from './frames.ts'
import {
  type ClientReader,
  insist,
  isObject,
  listAt,
  objectAt,
  type ReadCall,
  type ReadUsage,
  type Reading,
  stringAt,
  tokensAt,
} from './reading.ts'

/** Its framing: events, or one JSON array that grows. */
export type GenerateFraming = 'events' | 'array'

/** How a client of Gemini's API reads. Of several candidates it looks at the first. */
export function generateReader(framing: GenerateFraming): ClientReader {
  const split = framing === 'events' ? chunksOfEvents : chunksOfArray
  return {
    stream(wire) {
      const { chunks, isClosed } = split(wire)
      const stream = new ChunkReader()
      for (const chunk of chunks) stream.push(chunk)
      const { reading } = stream
      insist(isClosed || reading.ending !== 'complete', 'the array is not closed')
      return reading
    },

    body(json) {
      const stream = new ChunkReader()
      stream.push(json)
      const { reading } = stream
      insist(reading.ending === 'complete', 'the candidate has not finished')
      return reading
    },
  }
}

interface Chunks {
  readonly chunks: readonly JsonObject[]
  readonly isClosed: boolean
}

function chunksOfEvents(wire: string): Chunks {
  const chunks = readFrames(wire).map(({ name, json }) => {
    insist(name === '', 'an event has a name')
    insist(json !== undefined, 'a stream has [DONE]')
    return json
  })
  return { chunks, isClosed: true }
}

function chunksOfArray(wire: string): Chunks {
  if (wire.trim() === '') return { chunks: [], isClosed: false }
  const isClosed = wire.endsWith(']')
  let chunks: unknown
  try {
    chunks = JSON.parse(isClosed ? wire : `${wire}]`)
  } catch {
    insist(false, 'the array is no JSON')
  }
  insist(Array.isArray(chunks) && chunks.every(isObject), 'it is no array of chunks')
  return { chunks, isClosed }
}

class ChunkReader {
  #text = ''
  #thoughts = ''
  readonly #calls: ReadCall[] = []
  readonly #stops = new Map<number, string>()
  #usage: ReadUsage = {}
  #failure: string | undefined

  push(chunk: JsonObject): void {
    insist(this.#failure === undefined, 'something follows an error')
    if (chunk.error) {
      const error = objectAt(chunk, 'error')
      insist(typeof error.code === 'number', 'an error has no code')
      this.#failure = stringAt(error, 'message')
      return
    }
    if (Object.keys(chunk).length === 0) return
    if (chunk.usageMetadata) this.#usage = usageOf(objectAt(chunk, 'usageMetadata'))
    for (const candidate of chunk.candidates ? listAt(chunk, 'candidates') : []) {
      this.#readCandidate(candidate)
    }
  }

  get reading(): Reading {
    const stop = this.#stops.get(0) ?? ''
    const isComplete = stop !== '' && [...this.#stops.values()].every((told) => told !== '')
    return {
      text: this.#text,
      thoughts: this.#thoughts,
      calls: this.#calls,
      stop,
      usage: this.#usage,
      ending: this.#failure !== undefined ? 'failed' : isComplete ? 'complete' : 'open',
      ...(this.#failure !== undefined && { failure: this.#failure }),
    }
  }

  #readCandidate(candidate: JsonObject): void {
    const index = candidate.index ?? 0
    insist(typeof index === 'number', 'a candidate has another index')
    insist(!this.#stops.get(index), 'a candidate goes on after it has finished')
    this.#stops.set(index, candidate.finishReason ? stringAt(candidate, 'finishReason') : '')
    const { content } = candidate
    if (content === undefined) return
    insist(isObject(content) && content.role === 'model', 'a candidate has no content')
    const parts = content.parts === undefined ? [] : listAt(content, 'parts')
    if (index === 0) for (const part of parts) this.#readPart(part)
  }

  #readPart(part: JsonObject): void {
    if (part.functionCall !== undefined) {
      const { id, name, args } = objectAt(part, 'functionCall')
      insist(typeof name === 'string' && name !== '', 'a call has no name')
      insist(isObject(args), 'args are no object')
      this.#calls.push({ id: id as string | undefined, name, input: args })
    } else if (part.inlineData !== undefined) {
      stringAt(objectAt(part, 'inlineData'), 'data')
    } else if (part.thought === true) this.#thoughts += stringAt(part, 'text')
    else this.#text += stringAt(part, 'text')
  }
}

function usageOf(usage: JsonObject): ReadUsage {
  const visible = tokensAt(usage, 'candidatesTokenCount')
  const reasoning = tokensAt(usage, 'thoughtsTokenCount')
  return {
    input: tokensAt(usage, 'promptTokenCount'),
    output: visible === undefined ? undefined : visible + (reasoning ?? 0),
    cached: tokensAt(usage, 'cachedContentTokenCount'),
    reasoning,
  }
}
