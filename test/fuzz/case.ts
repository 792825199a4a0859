import type { JsonObject } from '../../src/lib/json/object.ts'
import type { DialectName } from '../translate/clients/index.ts'
import type { Corpus } from './corpus.ts'
import { mutateFrames } from './mutate-frames.ts'
import { mutateJson } from './mutate-json.ts'
import { Random, seedOf } from './random.ts'

/** A reply of an account that may be broken, and who it is for. */
export type Case = StreamCase | BodyCase

interface CaseShape {
  readonly account: DialectName
  readonly client: DialectName
  readonly number: number
}

export interface StreamCase extends CaseShape {
  readonly kind: 'stream'
  readonly frames: readonly Buffer[]
  /** How long the chunks are in which they come: see `chunksOf`. */
  readonly chunk: number
  /** A client of Gemini's API that asked for one array instead of events. */
  readonly asArray: boolean
}

export interface BodyCase extends CaseShape {
  readonly kind: 'body'
  readonly body: unknown
}

/** The same case for the same seed and number. */
export function caseOf(
  seed: number,
  { account, client, number }: CaseShape,
  { streams, bodies }: Corpus,
): Case {
  const random = new Random(seedOf(seed, account, client, number))
  const shape = { account, client, number }
  if (random.oneIn(5)) {
    const body = random.pick(bodies)
    return { ...shape, kind: 'body', body: mutateBody(body, random) }
  }
  const frames = mutateFrames(random.pick(streams), random)
  const chunk = random.pick([0, 0, 0, 0, 0, random.oneIn(4) ? 1 : 5, 64, 64, 500, 1_000_000])
  return { ...shape, kind: 'stream', frames, chunk, asArray: random.oneIn(4) }
}

function mutateBody(body: JsonObject, random: Random): unknown {
  if (random.oneIn(40)) return random.pick([null, [], {}, 1, 'x', [body], [[body]], { error: {} }])
  let changed = body
  for (let times = random.oneIn(3) ? 1 + random.below(4) : 1; times > 0; times--) {
    changed = mutateJson(changed, random)
  }
  return JSON.parse(JSON.stringify(changed)) as JsonObject
}

/** Chunks of so many bytes; 0 stands for a frame each. */
export function chunksOf({ frames, chunk }: StreamCase): readonly Buffer[] {
  if (chunk === 0) return frames.filter(({ length }) => length > 0)
  const wire = Buffer.concat(frames)
  const chunks: Buffer[] = []
  for (let at = 0; at < wire.length; at += chunk) chunks.push(wire.subarray(at, at + chunk))
  return chunks
}
