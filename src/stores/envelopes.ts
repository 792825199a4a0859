import { memoryOfJson, JsonMeasure, smallJson } from '../lib/json/measure.ts'
import { parseInPieces } from '../lib/json/parse-pieces.ts'
import { isLargeJson, writeJson } from '../lib/json/write-pieces.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import { Turns } from '../lib/turns.ts'
import { type ReadOptions, UnreadableRecord } from './store.ts'

/** A record as a store writes it, in Keyv's format. */
interface Envelope {
  readonly value: unknown
}

/** Envelopes from this length on are parsed in turns of the event loop. Characters. */
const largeLength = 256 * 1024

/** Memory of a shorter one, for each character: its text, what is read of it, and what is written again. */
const memoryPerCharacter = 4

/** An envelope's text. */
export function sealEnvelope(value: unknown, ttlMs: number | undefined): string {
  return JSON.stringify(envelopeOf(value, ttlMs))
}

/** The same for a value of plain JSON: a large one is written in turns of the event loop. */
export function sealInTurns(value: unknown, ttlMs: number | undefined): MaybePromise<string> {
  if (!isLargeJson(value)) return sealEnvelope(value, ttlMs)
  return textOf(envelopeOf(value, ttlMs))
}

/** The text of an envelope with another value, which is plain JSON. */
export function resealInTurns(envelope: Envelope, value: unknown): MaybePromise<string> {
  const next = { ...envelope, value }
  return isLargeJson(value) ? textOf(next) : JSON.stringify(next)
}

async function textOf(envelope: Envelope): Promise<string> {
  return (await writeJson(envelope)).toString()
}

function envelopeOf(value: unknown, ttlMs: number | undefined) {
  return { value, expires: ttlMs === undefined ? undefined : Date.now() + ttlMs }
}

/** Parses an envelope. Throws `UnreadableRecord`. */
export function openEnvelope(text: string): Envelope {
  return checkedEnvelope(readable(() => JSON.parse(text)))
}

/** The same, but a large one in turns of the event loop, after the reader has memory for it. */
export function openInTurns(text: string, options: ReadOptions = {}): MaybePromise<Envelope> {
  if (text.length >= largeLength) return openLarge(text, options)
  const { admit } = options
  const waiting = text.length > smallJson ? admit?.(memoryOfShort(text)) : undefined
  return waiting ? waiting.then(() => openEnvelope(text)) : openEnvelope(text)
}

/** The memory that the value of a shorter envelope takes, about, in bytes. */
export function memoryOfShort(text: string): number {
  return memoryPerCharacter * text.length
}

/**
 * A process measures at most two large envelopes at once, one of each key: each needs a copy before `admit` is asked.
 */
const measuring = createSemaphore(2, 1)
const { signal: never } = new AbortController()

async function openLarge(text: string, { admit, owner }: ReadOptions): Promise<Envelope> {
  const turns = new Turns({ owner })
  const { ends, memory } = await measureLarge(text, turns, owner)
  await admit?.(memory)
  try {
    return checkedEnvelope(await parseInPieces(Buffer.from(text), ends, turns))
  } catch (error) {
    throw error instanceof SyntaxError ? new UnreadableRecord() : error
  }
}

async function measureLarge(text: string, turns: Turns, owner: string | undefined) {
  using _slot = await measuring.take(never, owner)
  const bytes = Buffer.from(text)
  const measure = new JsonMeasure(bytes, { jsonDepth: Infinity, jsonValues: Infinity })
  await measure.measureInTurns(turns)
  // Once more for what the reader writes of it.
  return { ends: measure.ends, memory: memoryOfJson(bytes, measure.values) + bytes.length }
}

function readable(parse: () => unknown): unknown {
  try {
    return parse()
  } catch {
    // The parser's own message quotes the record, which may be private.
    throw new UnreadableRecord()
  }
}

function checkedEnvelope(json: unknown): Envelope {
  if (typeof json === 'object' && json !== null && 'value' in json) return json
  throw new UnreadableRecord()
}
