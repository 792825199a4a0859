import { crc32 } from 'node:zlib'

import type {
  BytesToFrame,
  EventToFrame,
  FrameEncoder,
  FrameJoiner,
  Framing,
} from '../../contract/framing.ts'
import { GatewayError } from '../../contract/errors.ts'
import { ByteList } from '../../lib/byte-list.ts'
import { brokenFrame, cutInFrame } from './cut-off.ts'
import { encodeHeaders, readHeaders } from './event-stream-headers.ts'
import { alsoUndecoded, bytesOnOneLine } from './undecoded.ts'

/** In bytes: the lengths of the message and of its headers, and the checksum of both. */
const preludeBytes = 12
const checksumBytes = 4

/** In bytes, as the specification limits them. Millions of short headers would take seconds to read. */
const longestHeaders = 128 * 1024
/** In bytes, as the specification limits what services send. A longer message would hold up the other clients. */
const longestPayload = 24 * 1024 * 1024

/**
 * Messages of the AWS event stream encoding (`application/vnd.amazon.eventstream`), as Amazon Bedrock sends them. An
 * event's name is its `:event-type`, an exception's name its `:exception-type`, an error's name its `:error-code`.
 * Messages whose `:message-type` is not `event` are errors.
 * A message whose checksums are wrong breaks the stream. There are no messages without a meaning, and so no
 * keep-alives.
 *
 * Source: the encoding's description in the Smithy specification, "Amazon Event Stream Specification".
 */
export const eventStream: Framing = alsoUndecoded(
  {
    mediaTypes: ['application/vnd.amazon.eventstream'],
    contentType: 'application/vnd.amazon.eventstream',
    join: () => new MessageJoiner(),
    frameEnd: (frames, start) => start + frames.readUInt32BE(start),
    parse(frame) {
      const { bare, ...event } = headOf(frame)
      return { ...event, data: payloadOf(frame).toString() || bare() }
    },
    withData(frame, change) {
      const data = payloadOf(frame)
      const changed = change(data)
      return changed === data ? frame : encodeMessage(headersOf(frame), changed)
    },
    encode: () => encoder,
  },
  {
    read(frame) {
      const { bare, ...event } = headOf(frame)
      const payload = payloadOf(frame)
      return { ...event, data: payload.length > 0 ? bytesOnOneLine(payload) : Buffer.from(bare()) }
    },
  },
)

/** Reads the headers of a message. `bare` returns the data of a message without a payload. */
function headOf(message: Buffer) {
  const headers = readHeaders(headersOf(message))
  const event = headers.get(':event-type')
  const name = event ?? headers.get(':exception-type') ?? headers.get(':error-code')
  const kind = headers.get(':message-type')
  return {
    name: name ?? '',
    isError: kind === undefined ? event === undefined : kind !== 'event',
    // An error has its message in a header, and no payload.
    bare: () => JSON.stringify({ message: headers.get(':error-message') }),
  }
}

const encoder: FrameEncoder = {
  frame: (event: EventToFrame) => encodeMessage(headersFor(event), Buffer.from(event.data)),
  frameBytes: (event: BytesToFrame) => [encodeMessage(headersFor(event), event.data)],
  end: () => '',
}

function headersFor({ name = 'chunk', isError }: Omit<EventToFrame, 'data'>): Buffer {
  const [kind, type] = isError ? ['exception', ':exception-type'] : ['event', ':event-type']
  return encodeHeaders({ [type]: name, ':content-type': 'application/json', ':message-type': kind })
}

function encodeMessage(headers: Buffer, payload: Buffer): Buffer {
  if (payload.length > longestPayload) throw tooLong()
  const length = preludeBytes + headers.length + payload.length + checksumBytes
  const message = Buffer.allocUnsafe(length)
  message.writeUInt32BE(length, 0)
  message.writeUInt32BE(headers.length, 4)
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8)
  headers.copy(message, preludeBytes)
  payload.copy(message, preludeBytes + headers.length)
  message.writeUInt32BE(crc32(message.subarray(0, length - checksumBytes)), length - checksumBytes)
  return message
}

function headersOf(message: Buffer): Buffer {
  return message.subarray(preludeBytes, preludeBytes + message.readUInt32BE(4))
}

function payloadOf(message: Buffer): Buffer {
  return message.subarray(preludeBytes + message.readUInt32BE(4), message.length - checksumBytes)
}

/** Joins messages by their lengths, which it trusts only after their checksum. */
class MessageJoiner implements FrameJoiner {
  readonly #pending = new ByteList()
  /** The number of pending bytes with which the joiner can go on: a prelude, or a message. */
  #needed = preludeBytes
  broken: unknown

  get pendingBytes(): number {
    return this.#pending.size
  }

  feed(chunk: Buffer): Buffer | undefined {
    if (this.broken) throw this.broken
    this.#pending.add(chunk)
    if (this.pendingBytes < this.#needed) return undefined
    const bytes = this.#pending.take()
    const end = this.#wholeMessages(bytes)
    if (this.broken && end === 0) throw this.broken
    if (end < bytes.length) this.#pending.add(bytes.subarray(end))
    return end === 0 ? undefined : bytes.subarray(0, end)
  }

  end(): undefined {
    if (this.broken) throw this.broken
    if (this.pendingBytes > 0) throw cutInFrame()
    return undefined
  }

  /** The position after the whole messages. Sets how many bytes the next one needs. */
  #wholeMessages(bytes: Buffer): number {
    let at = 0
    try {
      for (;;) {
        this.#needed = preludeBytes
        if (bytes.length - at < preludeBytes) return at
        this.#needed = lengthOf(bytes, at)
        if (bytes.length - at < this.#needed) return at
        checkMessage(bytes.subarray(at, at + this.#needed))
        at += this.#needed
      }
    } catch (error) {
      this.broken = error
      return at
    }
  }
}

/** The length of the message whose prelude is at `at`. */
function lengthOf(bytes: Buffer, at: number): number {
  if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) throw wrongChecksum()
  const length = bytes.readUInt32BE(at)
  const headers = bytes.readUInt32BE(at + 4)
  if (headers > longestHeaders) throw brokenFrame('its headers are too long')
  const least = preludeBytes + headers + checksumBytes
  if (length < least) throw brokenFrame('it is shorter than its parts together')
  if (length - least > longestPayload) throw tooLong()
  return length
}

function tooLong(): GatewayError {
  return new GatewayError('upstream_invalid_reply', 'A frame of the stream is too large.')
}

function checkMessage(message: Buffer): void {
  const content = message.length - checksumBytes
  if (crc32(message.subarray(0, content)) !== message.readUInt32BE(content)) throw wrongChecksum()
}

function wrongChecksum(): Error {
  return brokenFrame('a checksum is wrong')
}
