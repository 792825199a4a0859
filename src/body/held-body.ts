import type { RequestBody } from '../contract/body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { MemoryLease } from '../contract/memory.ts'
import {
  type JsonExcess,
  type JsonLimits,
  longestNumber,
  mostBareBytes,
  mostEscapes,
  mostLongNames,
} from '../lib/json/measure.ts'
import { type JsonObject, setOwn } from '../lib/json/object.ts'
import type { ByteRange } from '../lib/json/scan.ts'
import { nextTurn } from '../lib/turns.ts'

/** Members up to this size, in bytes, stay parsed when the rest is released. */
const smallMember = 1024

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
  if (excess === 'bareBytes') {
    const message = `The request body has more than ${mostBareBytes} bytes outside of strings.`
    return new GatewayError('request_too_large', message)
  }
  if (excess === 'escapes') {
    const message = `The request body has more than ${mostEscapes} escapes in strings: send characters as they are, in UTF-8.`
    return new GatewayError('request_too_large', message)
  }
  const message = `The request body has more than ${limits.jsonValues} JSON values and names.`
  return new GatewayError('request_too_large', message)
}

interface HeldBodyParts {
  readonly bytes: Buffer
  readonly json: JsonObject
  readonly members: ReadonlyMap<string, ByteRange>
  /** The memory of the parsed value. */
  readonly treeBytes: number
  readonly mediaBytes: number
  /** The places of the strings of a large body. */
  readonly stringStarts?: Uint32Array
  readonly lease: MemoryLease
}

const nothing: Buffer = Buffer.alloc(0)

/** A body that lets go of its memory before the exchange ends. */
export class HeldBody implements RequestBody {
  readonly members: ReadonlyMap<string, ByteRange>
  readonly stringStarts?: Uint32Array
  readonly measured: NonNullable<RequestBody['measured']>
  readonly #treeBytes: number
  readonly #lease: MemoryLease
  #bytes: Buffer
  #json: JsonObject
  #isWhole = true

  constructor({ bytes, json, members, treeBytes, mediaBytes, stringStarts, lease }: HeldBodyParts) {
    this.#bytes = bytes
    this.#json = json
    this.members = members
    this.measured = { bytes: bytes.length, mediaBytes }
    if (stringStarts) this.stringStarts = stringStarts
    this.#treeBytes = treeBytes
    this.#lease = lease
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  get json(): JsonObject {
    return this.#json
  }

  get isLarge(): boolean {
    return this.stringStarts !== undefined
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
    if (this.isLarge) await nextTurn(this.#lease.keyId)
    this.#json = JSON.parse(this.#bytes.toString()) as JsonObject
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
