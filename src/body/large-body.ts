import type { RequestBody } from '../contract/body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { MemoryLease } from '../contract/memory.ts'
import {
  type JsonExcess,
  type JsonLimits,
  JsonMeasure,
  longestNumber,
  memoryOfTree,
  mostLongNames,
} from '../lib/json/measure.ts'
import { type JsonObject, setOwn } from '../lib/json/object.ts'
import { parseInPieces, visitMembers } from '../lib/json/parse-pieces.ts'
import type { ByteRange } from '../lib/json/scan.ts'
import { Turns } from '../lib/turns.ts'

/** Members up to this size, in bytes, stay parsed when the rest is let go. */
const smallMember = 1024

/** How to parse a large body. */
interface LargeBodyOptions {
  readonly limits: JsonLimits
  readonly lease: MemoryLease
  /** Visits the top-level members before anything is parsed, in order. Throws to refuse the body. */
  readonly visit: (key: ByteRange, value: ByteRange) => void
  /** The positions of the members, which `visit` fills. */
  readonly members: ReadonlyMap<string, ByteRange>
  /** Runs between visiting and parsing. Throws to refuse the body at little cost. */
  readonly check: () => void
  /** Looks into the members, once they are known to be JSON. Rejects to refuse the body. */
  readonly inspect: (ends: ReadonlyMap<number, number>, turns: Turns) => Promise<void>
}

/**
 * Parses a large JSON object in turns of the event loop: it measures the bytes, looks at the top-level
 * members, takes memory, and then parses piece by piece. Rejects with `GatewayError` 400 or 413 beyond
 * the limits, with 503 without memory, and with `SyntaxError` for other bytes than a JSON object.
 */
export async function parseLargeBody(
  bytes: Buffer,
  { limits, lease, visit, members, check, inspect }: LargeBodyOptions,
): Promise<RequestBody> {
  const turns = new Turns({ owner: lease.keyId })
  const strings: number[] = []
  const measure = new JsonMeasure(bytes, limits, strings)
  const excess = await measure.measureInTurns(turns)
  if (excess) throw excessError(excess, limits)
  await visitMembers(bytes, measure.ends, turns, visit)
  check()
  const treeBytes = memoryOfTree(bytes, measure.values)
  await lease.hold('tree', treeBytes)
  const json = (await parseInPieces(bytes, measure.ends, turns)) as JsonObject
  await inspect(measure.ends, turns)
  await turns.next()
  const stringStarts = Uint32Array.from(strings)
  return new LargeBody({ bytes, json, members, ends: measure.ends, treeBytes, stringStarts, lease })
}

/** The error for a request body beyond a limit. */
export function excessError(excess: JsonExcess, limits: JsonLimits): GatewayError {
  if (excess === 'jsonDepth') {
    const message = `The request body is nested more than ${limits.jsonDepth} levels deep.`
    return new GatewayError('invalid_json', message)
  }
  if (excess === 'longNumber') {
    const message = `The request body has a number of more than ${longestNumber} characters.`
    return new GatewayError('invalid_json', message)
  }
  if (excess === 'longNames') {
    const message = `The request body has more than ${mostLongNames} names of more than 16,000 characters.`
    return new GatewayError('request_too_large', message)
  }
  const message = `The request body has more than ${limits.jsonValues} JSON values and names.`
  return new GatewayError('request_too_large', message)
}

interface LargeBodyParts {
  readonly bytes: Buffer
  readonly json: JsonObject
  readonly members: ReadonlyMap<string, ByteRange>
  readonly ends: ReadonlyMap<number, number>
  /** The memory of the parsed value. */
  readonly treeBytes: number
  readonly stringStarts: Uint32Array
  readonly lease: MemoryLease
}

const nothing: Buffer = Buffer.alloc(0)
/** A body that lets go of its memory before the exchange ends. */
class LargeBody implements RequestBody {
  readonly members: ReadonlyMap<string, ByteRange>
  readonly stringStarts: Uint32Array
  readonly #ends: ReadonlyMap<number, number>
  readonly #treeBytes: number
  readonly #lease: MemoryLease
  #bytes: Buffer
  #json: JsonObject
  #isWhole = true

  constructor({ bytes, json, members, ends, treeBytes, stringStarts, lease }: LargeBodyParts) {
    this.#bytes = bytes
    this.#json = json
    this.members = members
    this.stringStarts = stringStarts
    this.#ends = ends
    this.#treeBytes = treeBytes
    this.#lease = lease
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  get json(): JsonObject {
    return this.#json
  }

  get size(): number {
    return this.#bytes.length
  }

  releaseJson(): void {
    if (!this.#isWhole) return
    this.#isWhole = false
    this.#json = withoutLarge(this.#json, this.members, this.#bytes)
    // The account may get a copy of the bytes, with edits.
    void this.#lease.hold('tree', this.#bytes.length)
  }

  async restoreJson(): Promise<void> {
    // Twice for the request in the account's dialect and its bytes.
    await this.#lease.hold('tree', 2 * this.#treeBytes)
    if (this.#isWhole) return
    const turns = new Turns({ owner: this.#lease.keyId })
    this.#json = (await parseInPieces(this.#bytes, this.#ends, turns)) as JsonObject
    this.#isWhole = true
  }

  release(): void {
    if (!this.#isWhole) {
      this.#json = withoutLarge(this.#json, this.members)
      void this.#lease.hold('tree', 0)
    }
    this.#bytes = nothing
    void this.#lease.hold('body', 0)
    void this.#lease.hold('decoded', 0)
  }
}

/**
 * The object of a body without its large members. With the bytes at hand, each of them is parsed again
 * whenever it is read.
 */
function withoutLarge(
  json: JsonObject,
  members: ReadonlyMap<string, ByteRange>,
  bytes?: Buffer,
): JsonObject {
  const object: Record<string, unknown> = {}
  for (const [name, { start, end }] of members) {
    if (end - start <= smallMember) setOwn(object, name, json[name])
    else if (bytes) {
      const get = (): unknown => JSON.parse(bytes.toString('utf8', start, end))
      Object.defineProperty(object, name, { get, enumerable: true, configurable: true })
    }
  }
  return object
}
