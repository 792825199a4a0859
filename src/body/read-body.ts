import { isUtf8 } from 'node:buffer'

import type { RequestBody } from '../contract/body.ts'
import { GatewayError, toGatewayError } from '../contract/errors.ts'
import { ByteList } from '../lib/byte-list.ts'
import { type JsonLimits, JsonMeasure, memoryOfTree, smallJson } from '../lib/json/measure.ts'
import { Intake } from '../lib/intake.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { defaultLimits } from '../contract/limits.ts'
import { type MemoryLease, freeBytes } from '../contract/memory.ts'
import type { ClientRequest } from '../contract/request.ts'
import { describeFault } from '../lib/json/fault.ts'
import { type ByteRange, TooDeep } from '../lib/json/scan.ts'
import {
  type BodyPaceLimits,
  Pace,
  bodyCutOff,
  bodyPace,
  bodyTooLarge,
} from '../kit/body-limits.ts'
import type { Ticker } from '../lib/ticker.ts'
import { nextTurn, runInTurns } from '../lib/turns.ts'
import { type BodyContext, assertJsonIntended } from './body-type.ts'
import { decompress } from './decompress.ts'
import { HeldBody, excessError } from './held-body.ts'
import { MemberReader, rulesOf, usualRules } from './members.ts'

/** The limits for a JSON body. */
interface BodyLimits extends BodyPaceLimits {
  /** The largest JSON body, in bytes, before and after decompression. */
  readonly jsonBodyBytes: number
  /** Times that a body may be as large decompressed as compressed. */
  readonly expansionRatio: number
}

/**
 * Reads and decompresses a body, with memory of `lease` for all but the first bytes. Rejects with
 * `GatewayError` 400, 408, 413, 415, 499 or 503.
 */
export function readBody(
  request: ClientRequest,
  limits: BodyLimits,
  ticker: Ticker,
  lease: () => MemoryLease,
): Promise<Buffer> {
  if (request.headers['content-type']?.startsWith('multipart/')) {
    throw new GatewayError('unsupported_media_type', 'Send this request as application/json.')
  }
  const encoding = request.headers['content-encoding']
  const raw = readBytes(request, limits, ticker, lease)
  return encoding ? raw.then((bytes) => decode(bytes, encoding, limits, lease)) : raw
}

async function decode(
  raw: Buffer,
  encoding: string,
  limits: BodyLimits,
  lease: () => MemoryLease,
): Promise<Buffer> {
  const bytes = await decompress(raw, encoding, limits, lease)
  if (bytes !== raw && raw.length > freeBytes) void lease().hold('body', 0)
  return bytes
}

/** The body of a call without a body. */
export const emptyBody: RequestBody = { bytes: Buffer.alloc(0), json: {}, members: new Map() }

/** The context of parsing a body, as far as it is there. */
interface ParsingContext {
  readonly limits: JsonLimits
  /** The request, whose type of content an error may be about. */
  readonly request?: BodyContext
  readonly lease: () => MemoryLease
  /** Runs before a large body is parsed. Throws to refuse it. */
  readonly check?: (bytes: Buffer, members: ReadonlyMap<string, ByteRange>) => void
}

/**
 * Parses a JSON object as `parseJsonBody` does; a large one in several turns of the event loop. It also rejects
 * with `GatewayError` 413 beyond the limits, and 503 if a large body finds no memory.
 */
export function parseBody(bytes: Buffer, context: ParsingContext): MaybePromise<RequestBody> {
  if (bytes.length > smallJson) return parseLarge(bytes, context)
  if (bytes.length > briefJson) return parseInTurn(bytes, context)
  return parseSmall(bytes, context)
}

/** Texts up to this size, in bytes, are parsed at once: many together make no long turn of the event loop. */
const briefJson = 16 * 1024

async function parseInTurn(bytes: Buffer, context: ParsingContext): Promise<RequestBody> {
  await nextTurn(context.lease().keyId)
  return parseSmall(bytes, context)
}

function parseSmall(bytes: Buffer, context: ParsingContext): MaybePromise<RequestBody> {
  const { limits, request } = context
  const body = parseJsonBody(bytes, request, limits)
  return bytes.length > tinyJson ? holdSmall(body, context) : body
}

/**
 * Texts up to this size, in bytes, are not even measured: with their parsed value they take at most some 24 times as
 * much.
 */
const tinyJson = 1024

/** Takes memory for the parsed value of a small body, unless it belongs to the memory of a call itself. */
function holdSmall(body: RequestBody, context: ParsingContext): MaybePromise<RequestBody> {
  const { bytes, json, members } = body
  const stringStarts: number[] = []
  const { excess, values, mediaBytes } = JsonMeasure.of(bytes, context.limits, stringStarts)
  if (excess) throw excessError(excess, context.limits)
  const treeBytes = memoryOfTree(bytes, values)
  // Without the strings and the sizes, the checks of a chat call search and measure its bytes again: 1,030 ns, not 490.
  if (bytes.length + treeBytes <= 2 * freeBytes)
    return { ...body, stringStarts, measured: { bytes: bytes.length, mediaBytes } }
  const lease = context.lease()
  const parts = { bytes, members, treeBytes, mediaBytes, lease }
  const waiting = lease.hold('tree', treeBytes)
  return waiting ? parseAgain(waiting, parts, context) : new HeldBody({ ...parts, json })
}

/** A call that waits for memory holds no parsed value. */
async function parseAgain(
  waiting: Promise<void>,
  parts: Omit<ConstructorParameters<typeof HeldBody>[0], 'json'>,
  { request }: ParsingContext,
): Promise<RequestBody> {
  await waiting
  return new HeldBody({ ...parts, json: parseObject(parts.bytes, request) })
}

/**
 * Parses a JSON object and refuses members of the operation that occur twice or in another spelling.
 * Throws `GatewayError` 400, or 415 if the request in `context` carries another type of
 * content.
 */
export function parseJsonBody(
  bytes: Buffer,
  context?: BodyContext,
  limits: JsonLimits = defaultLimits,
): RequestBody {
  const json = parseObject(bytes, context)
  return { bytes, json, members: membersOf(bytes, context, limits) }
}

/** The members of an object. For bytes that are not JSON the result is arbitrary. Throws `GatewayError` 400. */
function membersOf(
  bytes: Buffer,
  context: BodyContext | undefined,
  limits: JsonLimits,
): ReadonlyMap<string, ByteRange> {
  const reader = new MemberReader(bytes, context ? rulesOf(context.operation) : usualRules)
  try {
    reader.readAll(limits.jsonDepth - 1)
  } catch (error) {
    if (error instanceof SyntaxError) throw syntaxError(bytes, context)
    throw error instanceof TooDeep ? excessError('jsonDepth', limits) : error
  }
  return reader.members
}

/** Each look at all bytes has a turn of the event loop of its own. */
async function parseLarge(bytes: Buffer, context: ParsingContext): Promise<RequestBody> {
  const { limits, check, request } = context
  const lease = context.lease()
  // The body may just have been joined from its chunks.
  await nextTurn(lease.keyId)
  // The parser is several times as slow with other bytes.
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', 'The request body is not UTF-8.')
  const strings: number[] = []
  const measuring = JsonMeasure.work(bytes, limits, strings)
  const { excess, values, mediaBytes } = await runInTurns(measuring, { owner: lease.keyId })
  if (excess) throw excessError(excess, limits)
  await nextTurn(lease.keyId)
  const members = membersOf(bytes, request, limits)
  check?.(bytes, members)
  const treeBytes = memoryOfTree(bytes, values)
  await lease.hold('tree', treeBytes)
  await nextTurn(lease.keyId)
  const text = bytes.toString()
  await nextTurn(lease.keyId)
  const json = parseObject(bytes, request, text)
  await nextTurn(lease.keyId)
  const stringStarts = Uint32Array.from(strings)
  return new HeldBody({ bytes, json, members, treeBytes, mediaBytes, stringStarts, lease })
}

function parseObject(
  bytes: Buffer,
  context: BodyContext | undefined,
  text = bytes.toString(),
): Record<string, unknown> {
  if (bytes.length === 0) throw new GatewayError('invalid_json', 'The request body is empty.')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw syntaxError(bytes, context)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw notObject()
  return json as Record<string, unknown>
}

/** The bytes of a body in which a syntax error is searched. */
const searchedBytes = 1024 * 1024

function syntaxError(bytes: Buffer, context: BodyContext | undefined): GatewayError {
  const text = bytes.toString('utf8', 0, searchedBytes)
  if (context) assertJsonIntended(text, context)
  if (bytes.length > searchedBytes && /^\s*[["]/.test(text)) return notObject()
  // The parser's own message quotes the body, which may be private.
  return new GatewayError('invalid_json', notJson(text, bytes.length > searchedBytes))
}

function notObject(): GatewayError {
  return new GatewayError('invalid_json', 'The request body must be a JSON object.')
}

function notJson(text: string, isCut: boolean): string {
  const fault = describeFault(text, isCut)
  return `The request body is not valid JSON${fault === undefined ? '' : `: ${fault}`}.`
}

/** Limits the bodies of all requests together. */
const intake = new Intake()

/** Bodies from this size on, in bytes, are taken in small parts, and get a place of their own. */
const largeBytes = 64 * 1024

function readBytes(
  request: ClientRequest,
  limits: BodyLimits,
  ticker: Ticker,
  lease: () => MemoryLease,
): Promise<Buffer> {
  const { stream } = request
  if (stream.destroyed) return Promise.reject(bodyCutOff())
  if (Number(request.headers['content-length']) > limits.jsonBodyBytes) {
    return Promise.reject(bodyTooLarge(limits.jsonBodyBytes))
  }
  request.askForBody?.()
  return new Promise((resolve, reject) => {
    const chunks = new ByteList()
    let granted = freeBytes
    // The listeners stay: removing four of them costs more than all the rest of this function.
    let settled = false
    const pace = new Pace(bodyPace(limits), performance.now())
    let isPaused = false
    const watched = {
      tick: (now: number) => {
        if (!isPaused && pace.isTooSlow(now))
          settle(new GatewayError('request_timeout', 'The request body did not arrive in time.'))
      },
    }
    const onData = (chunk: Buffer) => {
      if (settled) return
      pace.add(chunk.length, performance.now())
      chunks.add(chunk)
      const { size } = chunks
      if (size > limits.jsonBodyBytes) settle(bodyTooLarge(limits.jsonBodyBytes))
      else if (size > granted) makeRoom(size)
      else if (size > largeBytes) pauseUntil(intake.takeIn(chunk.length))
    }
    /** Takes memory for the whole body, or for twice as much as has arrived of an unknown length. */
    const makeRoom = (size: number) => {
      const length = Number(request.headers['content-length'])
      granted = length || 2 * size
      const reserve = () => {
        if (length > largeBytes && !settled) chunks.reserve(length)
      }
      const waiting = lease().hold('body', granted)
      if (waiting) pauseUntil(waiting.then(reserve))
      else reserve()
    }
    /** The client is not slow while the gateway keeps it waiting. */
    const pauseUntil = (ready: Promise<void> | undefined) => {
      if (!ready) return
      const since = performance.now()
      isPaused = true
      stream.pause()
      ready.then(
        () => {
          pace.pass(performance.now() - since)
          isPaused = false
          stream.resume()
        },
        (error: unknown) => settle(toGatewayError(error)),
      )
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
      else resolve(chunks.take())
      chunks.clear()
    }
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
    ticker.add(watched)
  })
}
