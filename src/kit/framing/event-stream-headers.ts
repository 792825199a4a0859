import { brokenFrame } from './cut-off.ts'

/** The type of a value: text, after two bytes with its length. */
const textType = 7

/** The lengths of values by their types, in bytes. Types 6 and 7 carry their own length. */
const fixedLengths: readonly (number | undefined)[] = [
  0,
  0,
  1,
  2,
  4,
  8,
  undefined,
  undefined,
  8,
  16,
]

/** The headers of a message whose values are texts. Throws `GatewayError` for bytes that are no headers. */
export function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>()
  try {
    for (let at = 0; at < bytes.length;) at = readHeader(bytes, at, headers)
  } catch {
    throw brokenFrame('its headers cannot be read')
  }
  return headers
}

/** Reads the header at `at`. Returns the position after it; throws where it is cut off. */
function readHeader(bytes: Buffer, at: number, headers: Map<string, string>): number {
  const nameEnd = at + 1 + bytes.readUInt8(at)
  const type = bytes.readUInt8(nameEnd)
  if (type >= fixedLengths.length) throw new RangeError('unknown type')
  const fixed = fixedLengths[type]
  const start = fixed === undefined ? nameEnd + 3 : nameEnd + 1
  const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1))
  if (end > bytes.length) throw new RangeError('cut off')
  if (type === textType) {
    headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', start, end))
  }
  return end
}

/** In bytes, as the specification limits the value of a header. */
const longestValue = 32_767

/**
 * Encodes headers with texts. A name may have 255 bytes. Throws `GatewayError` for a longer value than a header may
 * have: some come from an account, such as the name of an event.
 */
export function encodeHeaders(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = Buffer.from(value)
      if (text.length > longestValue) throw brokenFrame('the name of an event is too long')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(text.length)
      return [
        Buffer.from([Buffer.byteLength(name)]),
        Buffer.from(name),
        Buffer.from([textType]),
        length,
        text,
      ]
    }),
  )
}
