import type {
  AdaptedAccount,
  AdaptedRequest,
  Adaptation,
  BodyChanges,
} from '../../src/contract/adaptation.ts'
import type { FrameJoiner } from '../../src/contract/framing.ts'
import { fillPath } from '../../src/kit/account-path.ts'
import { brokenFrame } from '../../src/kit/framing/cut-off.ts'
import { eventStream } from '../../src/kit/framing/event-stream.ts'
import { onOneLine } from '../../src/kit/framing/undecoded.ts'
import { numberAt, parseOrUndefined, stringAt } from '../../src/lib/json/read.ts'
import { findMember, skipSpace } from '../../src/lib/json/scan.ts'
import { formatFrame } from '../../src/lib/sse.ts'
import { modelOfProfile } from '../dialects/shared/bedrock-models.ts'

const createPath = '/v1/messages'
const countPath = '/v1/messages/count_tokens'

/** Where InvokeModel has a request of the Messages API (docs/wire/bedrock.md 4); `undefined`: InvokeModel does not serve this request. */
export const invokedTarget: NonNullable<Adaptation['target']> = ({ path, model, stream }) => {
  if (path === countPath) return at('/model/{model/}/count-tokens', modelOfProfile(model))
  if (path !== createPath) return undefined
  return at(`/model/{model/}/${stream ? 'invoke-with-response-stream' : 'invoke'}`, model)
}

function at(pattern: string, model: string): ReturnType<NonNullable<Adaptation['target']>> {
  return {
    path: fillPath(pattern, { model }),
    query: undefined,
    accept: 'application/json',
    atOwnRoot: true,
    encodesSlashes: true,
    dropHeaders: ['anthropic-beta', 'anthropic-version'],
  }
}

/** Betas that Bedrock knows, of any date: it refuses a request with another one. */
const knownBetas =
  /^(?:compact|computer-use|context-1m|context-management|dev-full-thinking|effort|fallback-credit|fine-grained-tool-streaming|interleaved-thinking|output-128k|token-efficient-tools|tool-examples|tool-search-tool)-\d{4}-\d\d-\d\d$/

const unknown = 'Bedrock does not have it'

/** The model is in the path. The version of the API and the betas are in the body. */
export function invokedBody(
  { path, headers }: AdaptedRequest,
  { headers: own }: AdaptedAccount,
  version: string,
): BodyChanges {
  const asked = betasIn(headers['anthropic-beta'])
  // Betas in the account's own setting are the operator's choice.
  const betas = own?.['anthropic-beta'] === undefined ? asked.filter(isKnown) : asked
  const lost = asked.filter((one) => !betas.includes(one))
  return {
    move: ['model', 'stream'],
    drop: { inference_geo: unknown, service_tier: unknown, speed: unknown },
    refuse: { container: unknown, mcp_servers: unknown },
    lost: Object.fromEntries(lost.map((one) => [`anthropic-beta: ${one}`, unknown])),
    set: { anthropic_version: version, ...(betas.length > 0 && { anthropic_beta: betas }) },
    ...(path === countPath && { wrap: asCounted }),
  }
}

function betasIn(header = ''): string[] {
  return header.split(',').flatMap((one) => one.trim() || [])
}

function isKnown(beta: string): boolean {
  return knownBetas.test(beta)
}

/** CountTokens wants a whole request, whose limit exceeds the budget for thinking. */
function asCounted(body: Buffer): Buffer {
  const begin = skipSpace(body, 0)
  const thinking = findMember(body, begin, 'thinking')
  const asked = thinking && parseOrUndefined(body.toString('utf8', thinking.start, thinking.end))
  const limit = (numberAt(asked, 'budget_tokens') ?? 0) + 1
  const request = Buffer.concat([Buffer.from(`{"max_tokens":${limit},`), body.subarray(begin + 1)])
  return Buffer.from(`{"input":{"invokeModel":{"body":"${request.toString('base64')}"}}}`)
}

/** What CountTokens answers, as the Messages API has it. */
export const invokedReply: NonNullable<Adaptation['reply']> = ({ inputTokens }) =>
  typeof inputTokens === 'number' ? { input_tokens: inputTokens } : undefined

/** Streams whose messages of AWS have an event of the Messages API each. */
export const invokedStreams: NonNullable<Adaptation['streams']> = {
  mediaType: 'application/vnd.amazon.eventstream',
  join: () => new ChunkJoiner(),
}

/** Joins messages of AWS, whose chunks are events of the Messages API, into server-sent events. */
class ChunkJoiner implements FrameJoiner {
  readonly #messages = eventStream.join()
  #broken: unknown

  get pendingBytes(): number {
    return this.#messages.pendingBytes
  }

  get broken(): unknown {
    return this.#broken ?? this.#messages.broken
  }

  feed(chunk: Buffer): Buffer | undefined {
    if (this.#broken) throw this.#broken
    const messages = this.#messages.feed(chunk)
    const events = messages && this.#eventsIn(messages)
    if (this.#broken && !events) throw this.#broken
    return events
  }

  end(): undefined {
    if (this.#broken) throw this.#broken
    this.#messages.end()
    return undefined
  }

  /** The events before the first message that lacks its event. */
  #eventsIn(messages: Buffer): Buffer | undefined {
    const events: string[] = []
    try {
      for (let start = 0; start < messages.length;) {
        const end = eventStream.frameEnd(messages, start)
        events.push(eventIn(messages.subarray(start, end)))
        start = end
      }
    } catch (error) {
      this.#broken = error
    }
    const text = events.join('')
    return text === '' ? undefined : Buffer.from(text)
  }
}

/** The server-sent event in a message: empty for one that clients skip. */
function eventIn(message: Buffer): string {
  const { name, data = '', isError } = eventStream.parse(message)
  const json = parseOrUndefined(data)
  if (isError) return formatFrame('error', errorOf(name, json))
  if (name !== 'chunk') return ''
  const bytes = stringAt(json, 'bytes')
  if (bytes === undefined) throw brokenFrame('it has no bytes')
  const event = Buffer.from(bytes, 'base64').toString()
  const [, start] = /^\{"type":"(\w+)"/.exec(event) ?? []
  const type = start ?? stringAt(parseOrUndefined(event), 'type')
  if (type === undefined || !/^\w+$/.test(type)) {
    if (parseOrUndefined(event) === undefined) throw brokenFrame('its bytes are no JSON')
    return ''
  }
  return formatFrame(type, onOneLine(event))
}

/** Types of errors of the Messages API, by the exceptions of AWS in small letters; others are `api_error`. */
const errorTypes: ReadonlyMap<string, string> = new Map([
  ['validationexception', 'invalid_request_error'],
  ['throttlingexception', 'rate_limit_error'],
  ['serviceunavailableexception', 'overloaded_error'],
  ['modeltimeoutexception', 'timeout_error'],
])

function errorOf(name: string, json: unknown) {
  const type = errorTypes.get(name.toLowerCase()) ?? 'api_error'
  const message = stringAt(json, 'message') || stringAt(json, 'originalMessage') || name
  return { type: 'error', error: { type, message } }
}
