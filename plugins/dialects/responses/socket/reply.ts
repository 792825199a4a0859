import type { ClientSocket, ReplyReader } from '../../../../src/contract/socket.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt, objectsIn, stringAt } from '../../../../src/lib/json/read.ts'
import { decodeString, findMember } from '../../../../src/lib/json/scan.ts'
import { SseJoiner, findLines, joinLines, splitFrames } from '../../../../src/lib/sse.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'
import { replayItemsOf } from '../codec/transcript.ts'
import { isSpace } from './message.ts'

/** The events that end a response. */
const lastEvents = new TextSet([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
])

/** The headers of an error that its event has: when to ask again, and what to ask an operator about. */
const errorHeaders = /^(?:retry-after(?:-ms)?|x-should-retry|x-request-id|x-ratelimit-.*)$/

/** The output of a response that no account stores. */
interface Output {
  readonly id: string
  /** Its items, as JSON texts with commas between them. */
  readonly items: Buffer
}

/** What the reply to one message is for. */
interface ReplyOptions {
  readonly socket: Pick<ClientSocket, 'send'>
  readonly streamId: string | undefined
  /** Gets the output of a complete response. Absent: it is not needed. */
  readonly onOutput: ((output: Output) => void) | undefined
  /** Gets the status of the reply. */
  readonly onEnd: (status: number) => void
}

/** Turns the reply to `POST /v1/responses` into messages: its events without their framing, or its error as an event. */
export class ReplyEvents implements ReplyReader {
  readonly #options: ReplyOptions
  readonly #frames = new SseJoiner()
  /** The body of a reply that is no stream. */
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: Readonly<Record<string, unknown>> = {}
  #isStream = false
  #isOver = false
  #items: Buffer[] = []

  constructor(options: ReplyOptions) {
    this.#options = options
  }

  onHead(status: number, headers: Readonly<Record<string, unknown>>): void {
    this.#status = status
    this.#headers = headers
    this.#isStream = String(headers['content-type']).startsWith('text/event-stream')
  }

  onBytes(bytes: Buffer): boolean {
    if (!this.#isStream) {
      this.#chunks.push(bytes)
      return true
    }
    const frames = this.#frames.feed(bytes)
    let mayGoOn = true
    for (const frame of frames ? splitFrames(frames) : []) mayGoOn = this.#pass(frame) && mayGoOn
    return mayGoOn
  }

  onEnd(isWhole: boolean): void {
    if (!this.#isStream) this.#sendWhole()
    if (!this.#isOver) this.#sendError(502, brokenOff)
    this.#options.onEnd(isWhole ? this.#status : 0)
  }

  #pass(frame: Buffer): boolean {
    const { name, data } = findLines(frame)
    const [first] = data
    // A comment: the connection has pings of its own.
    if (!first) return true
    const lines =
      data.length === 1 ? frame.subarray(first.start, first.end) : joinLines(frame, data, 0x0a)
    const event = isSpace(lines[0]!) ? lines.subarray(lines.findIndex(isInk)) : lines
    // Over HTTP, two events may end a stream that breaks off. The next message has the next event of a socket.
    if (event[0] !== 0x7b || this.#isOver) return true
    const type = name ? frame.toString('utf8', name.start, name.end) : typeIn(event)
    this.#isOver = lastEvents.has(type)
    if (this.#options.onOutput) this.#note(type, event)
    return this.#send(type === 'error' ? errorEvent(event) : event)
  }

  #note(type: string, event: Buffer): void {
    if (type === 'response.output_item.done') {
      const item = findMember(event, 0, 'item')
      if (item) this.#items.push(event.subarray(item.start, item.end))
    }
    if (type !== 'response.completed') return
    const response = objectAt(JSON.parse(event.toString()), 'response')
    const id = stringAt(response, 'id')
    const listed = objectsIn(response?.output)
    // Some accounts leave the items out of the last event.
    const all =
      listed.length > 0
        ? listed
        : this.#items.map((one) => JSON.parse(one.toString()) as JsonObject)
    const items = replayItemsOf(all)
      .filter(isReplayable)
      .map((item) => JSON.stringify(item))
    if (id !== undefined) this.#options.onOutput?.({ id, items: Buffer.from(items.join(',')) })
  }

  /** The body of an error, or of a plugin that answers without a stream. */
  #sendWhole(): void {
    const json = parse(Buffer.concat(this.#chunks))
    if (this.#status < 300 && json?.object === 'response') {
      this.#isOver = true
      this.#send({ type: 'response.completed', sequence_number: 0, response: json })
    } else if (json || this.#status >= 300)
      this.#sendError(this.#status, objectAt(json, 'error') ?? {})
  }

  #sendError(status: number, error: JsonObject): void {
    this.#isOver = true
    const headers = Object.entries(this.#headers).filter(([name]) => errorHeaders.test(name))
    this.#send({
      type: 'error',
      status,
      error: { ...errorMembers(error), headers: Object.fromEntries(headers) },
    })
  }

  #send(event: Buffer | JsonObject): boolean {
    const { socket, streamId } = this.#options
    return socket.send(withStreamId(event, streamId))
  }
}

/** An error in a stream: the account's as it is, the gateway's in the form of sockets. */
function errorEvent(event: Buffer): Buffer | JsonObject {
  const { error, sequence_number: number, ...flat } = parse(event) ?? {}
  const own = objectAt({ error }, 'error')
  if (typeof own?.code !== 'number') return event
  const members = errorMembers({ ...own, ...flat })
  return { type: 'error', sequence_number: number, status: own.code, error: members }
}

/** An event as the client gets it: with the name of its lane. One that an account names is not of this socket. */
export function withStreamId(event: Buffer | JsonObject, streamId: string | undefined): Buffer {
  const given = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event))
  const bytes = findMember(given, 0, 'stream_id') ? withoutStreamId(given) : given
  if (streamId === undefined) return bytes
  const rest = bytes.subarray(1)
  const comma = rest[rest.findIndex(isInk)] === 0x7d ? '' : ','
  return Buffer.concat([Buffer.from(`{"stream_id":"${streamId}"${comma}`), rest])
}

function withoutStreamId(event: Buffer): Buffer {
  const { stream_id: _, ...rest } = parse(event) ?? {}
  return Buffer.from(JSON.stringify(rest))
}

function isInk(byte: number): boolean {
  return !isSpace(byte)
}

/** The members of an error in the form of sockets: `code` is a text or null. */
export function errorMembers(error: JsonObject): JsonObject {
  const detail = Array.isArray(error.details) ? (error.details[0] as unknown) : undefined
  const code = typeof error.code === 'string' ? error.code : stringAt(detail, 'code')
  const type = stringAt(error, 'type')
  return {
    type: type === undefined || type === 'error' ? 'server_error' : type,
    code: code ?? null,
    message: stringAt(error, 'message') ?? 'The request failed.',
    param: stringAt(error, 'param') ?? null,
  }
}

const brokenOff: JsonObject = {
  type: 'server_error',
  code: 'upstream_stream_broken',
  message: 'The reply broke off before its end.',
}

/** An account that stores nothing finds no reasoning by its id. */
function isReplayable({ type, encrypted_content: content }: JsonObject): boolean {
  return type !== 'reasoning' || typeof content === 'string'
}

function typeIn(event: Buffer): string {
  const type = findMember(event, 0, 'type')
  return type && event[type.start] === 0x22 ? decodeString(event, type) : ''
}

function parse(bytes: Buffer): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(bytes.toString())
    return typeof json === 'object' && json !== null ? (json as JsonObject) : undefined
  } catch {
    return undefined
  }
}
