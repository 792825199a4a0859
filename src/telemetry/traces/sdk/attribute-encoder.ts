import type { Attributes } from '@opentelemetry/api'

import { ProtobufWriter } from './protobuf-writer.ts'

/** What the encoder remembers of an attribute's name. */
interface KnownName {
  /** The name, as a field of a `KeyValue`. */
  readonly key: Uint8Array
  /** Whole values of the field `attributes`, by texts that come often. */
  readonly values: Map<string, Uint8Array>
  /** Texts that have come once. */
  readonly once: Set<string>
}

/** Attributes have some hundred names. */
const mostNames = 1_000

/** Values of a name that are remembered, and that have come once: models and accounts come often, ids never again. */
const mostValues = 64

/** In characters. */
const longestValue = 64

/** Lengths below are one byte. A longer message moves when its length is written. */
const oneByte = 0x80

/**
 * Writes attributes as `KeyValue` messages of a field (opentelemetry/proto/common/v1/common.proto). Most of an
 * attribute is the same each time, so that its bytes are copied.
 */
export class AttributeEncoder {
  readonly #names = new Map<string, KnownName>()

  /** Leaves out what is neither a text, a number, a boolean nor a list of them. */
  write(writer: ProtobufWriter, field: number, attributes: Attributes): void {
    for (const name in attributes) {
      const value: unknown = attributes[name]
      if (typeof value === 'string') this.#text(writer, field, name, value)
      else if (isValue(value)) this.#pair(writer, field, name, value)
    }
  }

  #text(writer: ProtobufWriter, field: number, name: string, value: string): void {
    const known = this.#known(name)
    const bytes = known.values.get(value)
    if (bytes) {
      const pair = writer.begin(field)
      writer.raw(bytes)
      writer.end(pair)
      return
    }
    const from = this.#pair(writer, field, name, value)
    const isShort = writer.at - from < oneByte
    if (isShort && value.length <= longestValue && comesAgain(known, value)) {
      known.values.set(value, writer.keepFrom(from))
    }
  }

  /** Writes an attribute. Returns the place of the bytes after its length. */
  #pair(writer: ProtobufWriter, field: number, name: string, value: unknown): number {
    const pair = writer.begin(field)
    writer.raw(this.#known(name).key)
    const any = writer.begin(2)
    writeValue(writer, value)
    writer.end(any)
    writer.end(pair)
    return pair + 1
  }

  #known(name: string): KnownName {
    const found = this.#names.get(name)
    if (found) return found
    const writer = new ProtobufWriter(256)
    writer.text(1, name)
    const known: KnownName = { key: writer.keepFrom(0), values: new Map(), once: new Set() }
    if (this.#names.size < mostNames) this.#names.set(name, known)
    return known
  }
}

/** Whether a text comes for the second time, and its name has room for it. */
function comesAgain({ values, once }: KnownName, value: string): boolean {
  if (values.size >= mostValues) return false
  if (once.delete(value)) return true
  if (once.size >= mostValues) once.clear()
  once.add(value)
  return false
}

function isValue(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || Array.isArray(value)
}

function writeValue(writer: ProtobufWriter, value: unknown): void {
  if (typeof value === 'string') writer.text(1, value)
  else if (typeof value === 'boolean') writer.boolean(2, value)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (Array.isArray(value)) writeList(writer, value)
}

/** Whole numbers from its negative on, and below it, fit into 64 bits. */
const wholeNumbers = 2 ** 63

function writeNumber(writer: ProtobufWriter, value: number): void {
  if (Number.isInteger(value) && value >= -wholeNumbers && value < wholeNumbers)
    writer.integer(3, value)
  else writer.double(4, value)
}

function writeList(writer: ProtobufWriter, list: readonly unknown[]): void {
  const array = writer.begin(5)
  for (const one of list) {
    const any = writer.begin(1)
    writeValue(writer, one)
    writer.end(any)
  }
  writer.end(array)
}
