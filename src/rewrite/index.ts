import type { RequestBody } from '../contract/body.ts'
import type { Loss } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Limits } from '../contract/limits.ts'
import type { ForwardOperation, PerformOperation } from '../contract/operation.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import type { ChangeRequest, ChangedRequest } from '../hooks/request.ts'
import { assertReadable, hasOtherCharset } from '../kit/codec/file-text.ts'
import { isSameJson } from '../lib/json/same.ts'
import { nextTurn } from '../lib/turns.ts'
import { contentOf, dialectRequestOf } from './dialect-request.ts'
import { assertAcceptable } from './losses.ts'
import { Rewriting } from './rewriting.ts'

/** The settings of the gateway that concern changed requests. */
interface RewriterOptions {
  readonly change: ChangeRequest
  readonly limits: Limits
  /** For callers without a policy of their own. */
  readonly policy: LossPolicy
}

/** The body that plugins changed, and the client's fields that it does not have any more. */
interface RewrittenBody {
  readonly body: RequestBody
  readonly losses: readonly Loss[]
  /** Reports an error of the changed body as the plugin's. */
  failed(error: unknown): GatewayError
}

/** Returns the body that accounts get; `undefined` if that is the client's. Rejects with `GatewayError`. */
export type RewriteBody = (
  exchange: Understood,
  operation: ForwardOperation | PerformOperation,
) => Promise<RewrittenBody | undefined>

/**
 * Creates the function that writes plugins' changes of requests. A change is written into the client's body, in the
 * client's dialect, so that all later stages, on every account, see the changed request only.
 */
export function createRewriter({ change, limits, policy }: RewriterOptions): RewriteBody {
  return async (exchange, operation) => {
    const dialect = dialectRequestOf(exchange, operation)
    if (!dialect) return undefined
    const { body, caller } = exchange
    if (body.restoreJson) {
      await body.restoreJson()
      if (body.isLarge) await nextTurn(caller.keyId)
    }
    const request = dialect.decode(body)
    if (body.isLarge) await nextTurn(caller.keyId)
    if (dialect.hasOnlyTurns && request.turns.length === 0) return undefined
    const returned = await change(exchange, request)
    if (body.isLarge) await nextTurn(caller.keyId)
    if (!returned) return undefined
    const { turns } = returned.request
    const changed = dialect.hasOnlyTurns
      ? { ...returned, request: { ...request, turns } }
      : returned
    if (isUnchanged(changed.request, request)) return undefined
    const rewriting = new Rewriting(exchange, dialect, limits)
    return write(rewriting, exchange, changed, request, policy)
  }
}

async function write(
  rewriting: Rewriting,
  exchange: Understood,
  changed: ChangedRequest,
  request: GenerateRequest,
  policy: LossPolicy,
): Promise<RewrittenBody> {
  const written = await rewriting.write(request, changed.request).catch((error: unknown) => {
    if (isLackOfMemory(error)) throw error
    // The client's own documents are too large to be read, whatever the plugin changed.
    assertReadable(request, hasOtherCharset)
    throw changed.failed(error)
  })
  assertAcceptable(written.losses, exchange, policy)
  return { ...written, failed: (error) => changed.failed(error) }
}

function isLackOfMemory(error: unknown): boolean {
  return GatewayError.isInstance(error) && error.code === 'memory_full'
}

function isUnchanged(changed: GenerateRequest, request: GenerateRequest): boolean {
  return isSameJson(contentOf(changed), contentOf(request))
}
