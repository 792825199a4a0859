import { crc32 } from 'node:zlib'
import type { Frame } from './frame.ts'

/**
 * Encodes an event as a message of the AWS event stream: the lengths of the whole and of the headers, the checksum of
 * both, headers, payload, and the checksum of it all. Data that is no object has a wrong checksum.
 */
export function encodeAwsMessage({ name = '', data, isException = false }: Frame): Buffer {
  const kind = isException ? 'exception' : 'event'
  const headers = Buffer.concat([
    header(`:${kind}-type`, name),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ])
  const isBroken = typeof data === 'string'
  const payload = Buffer.from(isBroken ? data : JSON.stringify(data))
  const prelude = Buffer.concat([
    number(16 + headers.length + payload.length),
    number(headers.length),
  ])
  const content = Buffer.concat([prelude, number(crc32(prelude)), headers, payload])
  return Buffer.concat([content, number((crc32(content) ^ Number(isBroken)) >>> 0)])
}

const textType = 7

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([textType]),
    length,
    Buffer.from(value),
  ])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
