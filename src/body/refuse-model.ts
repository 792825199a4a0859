import type { Authenticated, Identified } from '../contract/exchange.ts'
import type { ModelInPath } from '../contract/operation.ts'
import { enterCall } from '../exchange/record.ts'
import { resolveModel } from '../kit/models.ts'
import { type ByteRange, decodeString } from '../lib/json/scan.ts'

/** Capabilities whose requests name the model in their `model` member. */
const withModel: ReadonlySet<string | undefined> = new Set([
  'generate',
  'count-tokens',
  'compact',
  'generate-image',
  'edit-image',
  'video',
])

/** Members that refer to a stored resource, whose account may have left with its model. */
const references = ['previous_response_id', 'conversation']

/** The longest `model`, in bytes with escapes, that is looked at. */
const longestBytes = 4096

const quote = 0x22

/**
 * Refuses a large body for a model that does not exist or that the caller may not use, before the body
 * is parsed. Throws `GatewayError` `model_not_found`.
 */
export function refuseUnknownModel(
  exchange: Identified,
  bytes: Buffer,
  members: ReadonlyMap<string, ByteRange>,
): void {
  const operation: Identified['operation'] & ModelInPath = exchange.operation
  if (!withModel.has(operation.capability) || operation.modelOf || !isCalled(exchange)) return
  const at = members.get('model')
  if (!at || bytes[at.start] !== quote || at.end - at.start > longestBytes) return
  if (references.some((name) => members.has(name))) return
  refuse(exchange, { model: decodeString(bytes, at), alternatives: [] })
}

/**
 * Refuses a body of unknown or large size for a model in the path that does not exist or that the
 * caller may not use, before the body is read. Throws `GatewayError` `model_not_found`.
 */
export function refuseUnknownPathModel(exchange: Authenticated, operation: ModelInPath): void {
  if (operation.modelOf && isLarge(exchange)) refuse(exchange, operation.modelOf(exchange))
}

function refuse(exchange: Authenticated, named: ReturnType<ModelOf>): void {
  const call = { ...named, stream: false, refersTo: [], edits: [], losses: [] }
  // So that the access log has it.
  enterCall(exchange, call)
  if (call.model.trim() !== '') resolveModel(exchange, call)
}

type ModelOf = NonNullable<ModelInPath['modelOf']>

function isCalled(exchange: Identified): exchange is Authenticated {
  return (exchange as Partial<Authenticated>).caller !== undefined
}

/** The size, in bytes, from which on a body is worth a check of its own. */
const largeBytes = 64 * 1024

function isLarge({ request: { headers } }: Authenticated): boolean {
  if (headers['content-encoding'] !== undefined) return true
  return !(Number(headers['content-length']) <= largeBytes)
}
