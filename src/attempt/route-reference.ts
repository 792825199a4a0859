import type { Reference, ResolvedModel } from '../contract/call.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { Dialect } from '../contract/dialect.ts'
import { type ErrorCode, toGatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { ForwardOperation, Operation } from '../contract/operation.ts'
import { route } from '../route/route.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { createOwnExchange, endOwnExchange } from './without-client.ts'

/** A call that refers to a resource, of which an operator asks how it would be answered. */
export interface ReferenceQuery extends Pick<Reference, 'kind' | 'id' | 'use'> {
  readonly keyId: string
  /** The model of a call that continues the resource; the resource is read without one. */
  readonly model: ResolvedModel
}

/** How a call that refers to a resource would be answered now. */
export interface ReferenceAnswer {
  /** 200 for a call that goes to an account or that the gateway answers from its store. */
  readonly status: number
  /** Absent for a call that is served. */
  readonly code?: ErrorCode
  readonly message?: string
  /** The account that would be asked. Absent: none. */
  readonly account?: string
}

/**
 * Routes a call that refers to a resource, and sends nothing. `undefined` if no operation of the
 * dialects refers to such a resource in this way. Defects reject.
 */
export async function routeReference(
  { keyId, model, ...reference }: ReferenceQuery,
  dialects: readonly Dialect[],
  snapshot: Snapshot,
  environment: AttemptEnvironment,
): Promise<ReferenceAnswer | undefined> {
  const place = findPlace(dialects, reference)
  if (!place) return undefined
  const call = {
    model: model.requested,
    stream: false,
    refersTo: [reference],
    edits: [],
    losses: [],
  }
  const exchange = createOwnExchange({ keyId, ...place, call, model, isDryRun: true }, snapshot)
  try {
    return await answerOf(exchange, place.operation, environment)
  } catch (thrown) {
    const error = toGatewayError(thrown)
    if (error.code === 'internal_error') throw error.cause ?? error
    const { status } = place.dialect.error(error, exchange)
    return { status, code: error.code, message: error.message }
  } finally {
    endOwnExchange(exchange)
  }
}

/** Follows `attemptCall` up to the first attempt. */
async function answerOf(
  exchange: Understood,
  { forward }: ForwardOperation,
  { hooks }: AttemptEnvironment,
): Promise<ReferenceAnswer> {
  const ranking = await route(exchange, hooks)
  if (ranking.stored && 'serveStored' in forward) return { status: 200 }
  ranking.assertOwnerAvailable()
  const candidate = ranking.next()
  if (!candidate) throw ranking.unavailableError()
  return { status: 200, account: candidate.account.id }
}

/** The operation that continues a resource, or the one that reads it. */
function findPlace(
  dialects: readonly Dialect[],
  { kind, use }: Pick<Reference, 'kind' | 'use'>,
): { readonly dialect: Dialect; readonly operation: ForwardOperation } | undefined {
  const isMeant = (dialect: Dialect, { capability, method }: Operation) =>
    use === 'chain'
      ? capability === 'generate' &&
        dialect.generate?.produces === kind &&
        dialect.generate.transcripts !== undefined
      : capability === `stored-${kind}` && method === 'GET'
  for (const dialect of dialects) {
    const operation = dialect.operations.find((one) => isMeant(dialect, one))
    if (operation && 'forward' in operation) return { dialect, operation }
  }
  return undefined
}
