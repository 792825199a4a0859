import type { EncodedRequest, RawRequest } from '../contract/codec.ts'
import type { RequestBody } from '../contract/body.ts'
import type { Loss } from '../contract/call.ts'
import type { Understood } from '../contract/exchange.ts'
import type { ForwardOperation, PerformOperation, TurnsInBody } from '../contract/operation.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { JsonObject } from '../lib/json/object.ts'

/** A request in the client's dialect, with the losses of its model or dialect. */
export interface Written {
  readonly body: JsonObject
  readonly losses: readonly Loss[]
}

/** Reads and writes the body of one exchange in its client's dialect. */
export interface DialectRequest {
  /** Whether the body is no request for text: plugins change its turns, and set the rest where the turns are used. */
  readonly hasOnlyTurns: boolean
  /** Throws `GatewayError` for a body that the codec does not accept. */
  decode(body: Pick<RequestBody, 'json'>): GenerateRequest
  encode(request: GenerateRequest): Written
}

/** The capabilities whose bodies are requests in neutral form. */
const capabilities: ReadonlySet<string | undefined> = new Set([
  'generate',
  'count-tokens',
  'compact',
])

/** Clients read usage only if they ask for it themselves. */
const traits = { outputLimitField: 'max_completion_tokens', asksForUsage: false } as const

/** The reader and writer of an exchange's body; `undefined` if that has no neutral form. */
export function dialectRequestOf(
  exchange: Understood,
  operation: ForwardOperation | PerformOperation,
): DialectRequest | undefined {
  if ('turns' in operation && operation.turns) return turnsOf(exchange, operation.turns)
  const { dialect, call, model, request, id } = exchange
  const { generate } = dialect
  if (!generate || !capabilities.has(operation.capability)) return undefined
  const counting = operation.capability === 'count-tokens' ? generate.counting : undefined
  if (operation.capability === 'count-tokens' && !counting) return undefined
  const { query, headers } = request
  const toCount = (encoded: EncodedRequest) => counting?.encodeCountRequest(encoded) ?? encoded
  return {
    hasOnlyTurns: false,
    decode({ json }) {
      const body = counting ? counting.requestOf(json) : json
      const raw: RawRequest = { body, stream: call.stream, query, headers }
      return { ...generate.codec.decodeRequest(raw), exchangeId: id }
    },
    encode(changed) {
      const losses: Loss[] = []
      const drop = (field: string, reason: string) => void losses.push({ field, reason })
      const encoded = generate.codec.encodeRequest(changed, model.name, drop, traits)
      return { body: toCount(encoded).body, losses }
    },
  }
}

function turnsOf({ id }: Understood, { decode, encode }: TurnsInBody): DialectRequest {
  return {
    hasOnlyTurns: true,
    decode: ({ json }) => ({ ...decode(json), exchangeId: id }),
    encode: ({ turns }) => ({ body: encode(turns), losses: [] }),
  }
}

/** The members of a request that codecs derive from its other members, and from the client's words. */
type Derived = 'fields' | 'settings' | 'extras' | 'exchangeId' | 'stream'

/** A request without the members that codecs derive. */
export function contentOf(request: GenerateRequest): Omit<GenerateRequest, Derived> {
  const { fields: _f, settings: _s, extras: _x, exchangeId: _e, stream: _t, ...content } = request
  return content
}
