import { JsonMeasure, memoryOfJson, smallJson } from '../lib/json/measure.ts'
import { nextTurn } from '../lib/turns.ts'
import { type ReadOptions, UnreadableRecord } from './store.ts'

/** A record as a store writes it, in Keyv's format. */
interface Envelope {
  readonly value: unknown
}

/** Envelopes from this length on are measured before they are parsed. Characters. */
const largeLength = 256 * 1024

/** Memory of a shorter envelope, for each character: its text, the parsed value, and the text written again. */
const memoryPerCharacter = 4

/** An envelope's text. */
export function sealEnvelope(value: unknown, ttlMs: number | undefined): string {
  return JSON.stringify({ value, expires: ttlMs === undefined ? undefined : Date.now() + ttlMs })
}

/** Parses an envelope. Throws `UnreadableRecord`. */
export function openEnvelope(text: string): Envelope {
  return checkedEnvelope(readable(() => JSON.parse(text)))
}

/** The same, but a large one is measured and parsed in turns of its own, after the reader has memory for it. */
export async function readEnvelope(
  text: string,
  { admit, owner }: ReadOptions = {},
): Promise<Envelope> {
  if (text.length <= smallJson) return openEnvelope(text)
  await nextTurn(owner)
  await admit?.(memoryOf(text))
  await nextTurn(owner)
  return openEnvelope(text)
}

/** The memory that the value of an envelope takes, about, in bytes. */
export function memoryOf(text: string): number {
  if (text.length < largeLength) return memoryPerCharacter * text.length
  const bytes = Buffer.from(text)
  const { excess, values } = JsonMeasure.of(bytes, { jsonDepth: Infinity, jsonValues: Infinity })
  // A measure that ended early has not seen all values.
  if (excess) return memoryPerCharacter * text.length + bytes.length
  // Once more for what the reader writes of it.
  return memoryOfJson(bytes, values) + bytes.length
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
