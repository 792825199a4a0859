import type { RequestBody } from '../../src/contract/body.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import { isObject } from '../../src/lib/json/object.ts'
import { skipSpace, skipString } from '../../src/lib/json/scan.ts'

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Throws `GatewayError` 422 if the bytes of a body, which accounts of the client's dialect get, differ from its
 * parsed value: rules would look at another text. A name occurs twice in an object, or a plugin has changed the value
 * where it stands.
 */
export function assertSameBody({ bytes, json }: RequestBody): void {
  if (bytes.length === 0) return
  const comparison = new Comparison(bytes)
  comparison.compare(json)
  const { isRepeated, isChanged } = comparison
  if (!isRepeated && !isChanged) return
  const message = isRepeated
    ? 'A name occurs more than once in an object of the request.'
    : 'A plugin has changed the request in a way that accounts do not see.'
  throw new GatewayError('plugin_rejected', message, { retry: false })
}

/** Compares valid JSON with a value, from its start to its end. */
class Comparison {
  readonly #bytes: Buffer
  #at = 0
  isRepeated = false
  isChanged = false

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Compares the value that begins here. `undefined` for one that the other side lacks. */
  compare(known: unknown): void {
    const byte = this.#next()
    if (byte === openBrace) this.#object(isObject(known) ? known : undefined)
    else if (byte === openBracket) this.#list(Array.isArray(known) ? known : undefined)
    else if (this.#plain(byte) !== known) this.isChanged = true
  }

  #object(known: Readonly<Record<string, unknown>> | undefined): void {
    const names = new Set<string>()
    for (let byte = this.#open(); byte !== closeBrace; byte = this.#behind()) {
      const name = this.#text()
      if (names.has(name)) this.isRepeated = true
      names.add(name)
      this.#next()
      this.#at++
      this.compare(known && Object.hasOwn(known, name) ? known[name] : undefined)
    }
    this.#at++
    if (!known || Object.keys(known).length !== names.size) this.isChanged = true
  }

  #list(known: readonly unknown[] | undefined): void {
    let length = 0
    for (let byte = this.#open(); byte !== closeBracket; byte = this.#behind()) {
      this.compare(known?.[length++])
    }
    this.#at++
    if (known?.length !== length) this.isChanged = true
  }

  /** Enters an object or a list. Returns the first byte in it. */
  #open(): number | undefined {
    this.#at++
    return this.#next()
  }

  /** Goes to the next element. Returns its first byte, or the one that ends all. */
  #behind(): number | undefined {
    if (this.#next() !== comma) return this.#bytes[this.#at]
    this.#at++
    return this.#next()
  }

  #next(): number | undefined {
    this.#at = skipSpace(this.#bytes, this.#at)
    return this.#bytes[this.#at]
  }

  /** A text, a number, `true`, `false` or `null`. */
  #plain(byte: number | undefined): unknown {
    if (byte === quote) return this.#text()
    const start = this.#at
    while (!isEnd(this.#bytes[this.#at])) this.#at++
    return JSON.parse(this.#bytes.toString('latin1', start, this.#at)) as unknown
  }

  #text(): string {
    const start = this.#at
    this.#at = skipString(this.#bytes, start)
    return JSON.parse(this.#bytes.toString('utf8', start, this.#at)) as string
  }
}

function isEnd(byte: number | undefined): boolean {
  if (byte === undefined || byte <= 0x20) return true
  return byte === comma || byte === closeBracket || byte === closeBrace
}
