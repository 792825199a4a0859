import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

import type { RequestBody } from '../contract/body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ClientRequest } from '../contract/request.ts'
import { describeFault } from '../lib/json/fault.ts'
import { type ByteRange, decodeString, eachMember } from '../lib/json/scan.ts'
import type { Ticker } from '../lib/ticker.ts'
import { type BodyContext, assertJsonIntended } from './body-type.ts'
import { bodyCutOff, bodyTooLarge, watchedKeys } from './limits.ts'

/** The limits for a JSON body. */
interface BodyLimits {
  /** The largest JSON body, in bytes, before and after decompression. */
  readonly jsonBodyBytes: number
  /** The longest pause while the client sends a body, in milliseconds. */
  readonly requestBodyMs: number
}

/** Reads and decompresses a body. Rejects with `GatewayError` 400, 408, 413, 415 or 499. */
export function readBody(
  request: ClientRequest,
  limits: BodyLimits,
  ticker: Ticker,
): Promise<Buffer> {
  if (request.headers['content-type']?.startsWith('multipart/')) {
    throw new GatewayError('unsupported_media_type', 'Send this request as application/json.')
  }
  const raw = readBytes(request, limits, ticker)
  const encoding = request.headers['content-encoding']
  return encoding ? raw.then((bytes) => decompress(bytes, encoding, limits.jsonBodyBytes)) : raw
}

/** The body of a call that has none. */
export const emptyBody: RequestBody = { bytes: Buffer.alloc(0), json: {}, members: new Map() }

/**
 * Parses a JSON object and refuses watched keys that occur twice or in another spelling. Throws
 * `GatewayError` 400, or 415 if the request in `context` carries another type of content.
 */
export function parseJsonBody(bytes: Buffer, context?: BodyContext): RequestBody {
  const json = parseObject(bytes, context)
  const members = new Map<string, ByteRange>()
  eachMember(bytes, 0, (key, value) => {
    const name = decodeString(bytes, key)
    if (watchedKeys.has(name)) refuseAmbiguous(name, key, members)
    else if (watchedKeys.has(name.toLowerCase())) throw misspelledKey(name.toLowerCase())
    members.set(name, value)
  })
  return { bytes, json, members }
}

function parseObject(bytes: Buffer, context: BodyContext | undefined): Record<string, unknown> {
  if (bytes.length === 0) throw new GatewayError('invalid_json', 'The request body is empty.')
  const text = bytes.toString()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    if (context) assertJsonIntended(text, context)
    // The parser's own message quotes the body, which may be private.
    throw new GatewayError('invalid_json', notJson(text))
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new GatewayError('invalid_json', 'The request body must be a JSON object.')
  }
  return json as Record<string, unknown>
}

function notJson(text: string): string {
  const fault = describeFault(text)
  return `The request body is not valid JSON${fault === undefined ? '' : `: ${fault}`}.`
}

function refuseAmbiguous(name: string, key: ByteRange, seen: ReadonlyMap<string, ByteRange>): void {
  if (seen.has(name)) {
    throw new GatewayError('duplicate_parameter', `\`${name}\` occurs more than once.`, {
      param: name,
    })
  }
  if (key.end - key.start !== name.length + 2) throw misspelledKey(name)
}

/** The error for `Model` in place of `model`: some servers accept both. */
function misspelledKey(name: string): GatewayError {
  return new GatewayError(
    'invalid_value',
    `The key \`${name}\` must be written in small letters and without escapes.`,
    { param: name },
  )
}

function readBytes(request: ClientRequest, limits: BodyLimits, ticker: Ticker): Promise<Buffer> {
  const { stream } = request
  if (stream.destroyed) return Promise.reject(bodyCutOff())
  if (Number(request.headers['content-length']) > limits.jsonBodyBytes) {
    return Promise.reject(bodyTooLarge(limits.jsonBodyBytes))
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    // The listeners stay: removing four of them costs more than all the rest of this function.
    let settled = false
    let deadline = performance.now() + limits.requestBodyMs
    const watched = {
      tick: (now: number) => {
        if (now > deadline)
          settle(new GatewayError('request_timeout', 'The request body did not arrive in time.'))
      },
    }
    const onData = (chunk: Buffer) => {
      if (settled) return
      size += chunk.length
      deadline = performance.now() + limits.requestBodyMs
      chunks.push(chunk)
      if (size > limits.jsonBodyBytes) settle(bodyTooLarge(limits.jsonBodyBytes))
    }
    const onEnd = () => settle(undefined)
    const onClose = () => {
      if (!settled) settle(bodyCutOff())
    }
    const settle = (error: GatewayError | undefined) => {
      if (settled) return
      settled = true
      ticker.delete(watched)
      if (error) reject(error)
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size))
      chunks.length = 0
    }
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
    ticker.add(watched)
  })
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decompressors = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
])

/** Undoes `content-encoding`; the last coding named was applied last. */
async function decompress(raw: Buffer, encoding: string, limit: number): Promise<Buffer> {
  let bytes = raw
  for (const coding of encoding.toLowerCase().split(',').toReversed()) {
    const name = coding.trim()
    if (name === 'identity' || name === '') continue
    const decode = decompressors.get(name)
    if (!decode) {
      throw new GatewayError(
        'unsupported_media_type',
        `Content-Encoding "${name}" is not supported; use gzip, br or zstd.`,
      )
    }
    try {
      bytes = await decode(bytes, { maxOutputLength: limit })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw bodyTooLarge(limit)
      throw new GatewayError('invalid_encoding', `The request body is not valid ${name}.`)
    }
  }
  return bytes
}
