import type { RequestBody } from '../contract/body.ts'
import type { Call } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Understood } from '../contract/exchange.ts'
import type { ForwardOperation, PerformOperation } from '../contract/operation.ts'
import { resolveModel } from '../kit/models.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { enterCall, enterUnderstood } from '../exchange/record.ts'
import { readRequest, refuseUnknownPathModel } from './read-request.ts'
import { nextTurn } from '../lib/turns.ts'

/**
 * Calls the operation's `understand`, which checks the body and returns the call, and resolves the
 * call's model. Throws, or rejects with, `GatewayError`.
 */
export function understand(
  exchange: Authenticated,
  operation: ForwardOperation | PerformOperation,
  body: RequestBody,
): MaybePromise<Understood> {
  const enter = (call: Call) => {
    // Before the model is resolved, so that the access log has the call of an unknown model.
    enterCall(exchange, call)
    return enterUnderstood(exchange, body, call, resolveModel(exchange, call))
  }
  const call = operation.understand(exchange, body)
  return isThenable(call) ? call.then(enter) : enter(call)
}

/** Lets plugins change a call. Rejects with `GatewayError`. */
type ChangeCall = (
  understood: Understood,
  operation: ForwardOperation | PerformOperation,
) => Promise<Understood>

/** Puts accounts' ids of files into a body, and says what the call has besides. `undefined`: it names none. */
type BindFiles = (
  exchange: Authenticated,
  body: RequestBody,
) =>
  | Promise<{
      readonly body: RequestBody
      readonly call: Partial<Pick<Call, 'pin' | 'names' | 'edits'>>
    }>
  | undefined

/** The parts that read and change bodies. */
interface UnderstandingOptions {
  readonly source: Parameters<typeof readRequest>[1]
  /** Absent: no account stores files of clients. */
  readonly bindFiles: BindFiles | undefined
  /** Puts the files that a body names into it. Returns the same body if it names none. */
  readonly inlineFiles: (checked: Understood, body: RequestBody) => MaybePromise<RequestBody>
  /** Whether plugins check each request for text, or its reply: the requests of a batch would pass unseen. */
  readonly checksEach: boolean
  /** Absent: no plugin changes requests. */
  readonly change: ChangeCall | undefined
}

/** Reads the body of a call and checks it. Rejects with `GatewayError`. */
type ReadAndUnderstand = (
  authenticated: Authenticated,
  operation: ForwardOperation | PerformOperation,
) => Promise<Understood>

/**
 * Creates the third stage, which makes a call of a request: it reads the body, inlines the files that the body names,
 * and lets plugins change the call.
 */
export function createUnderstanding(options: UnderstandingOptions): ReadAndUnderstand {
  const { source, bindFiles, inlineFiles, change } = options
  return async (authenticated, operation) => {
    refuseUnknownPathModel(authenticated, operation)
    const body = await readRequest(authenticated, source)
    const understanding = understand(authenticated, operation, body)
    const checked = isThenable(understanding) ? await understanding : understanding
    if (checked.call.work && options.checksEach) throw unchecked()
    // Each step looks through a large body, so each has a turn of the event loop.
    if (body.isLarge) await nextTurn(authenticated.caller.keyId)
    // After `understand`, so that files are read only for a model that the caller may use.
    const binding = bindFiles?.(checked, body)
    const bound = binding && (await binding)
    const named =
      bound && bound.body !== body ? await understand(checked, operation, bound.body) : checked
    const inlined = inlineFiles(named, bound?.body ?? body)
    const understood = isThenable(inlined)
      ? await understand(named, operation, await inlined)
      : named
    const changed = change ? await change(understood, operation) : understood
    if (bound) enterCall(changed, boundCall(changed.call, bound.call))
    return changed
  }
}

function unchecked(): GatewayError {
  const message =
    'Plugins of this gateway check each request, and cannot check the requests of a batch.'
  return new GatewayError('permission_denied', message)
}

/** The call with what its files require. */
function boundCall(
  call: Call,
  { pin, names = [], edits = [] }: Partial<Pick<Call, 'pin' | 'names' | 'edits'>>,
): Call {
  const known = call.names ?? []
  const others = names.filter(({ id }) => !known.some((one) => one.id === id))
  return {
    ...call,
    ...(pin && { pin }),
    ...(edits.length > 0 && { edits: [...call.edits, ...edits] }),
    ...(others.length > 0 && { names: [...known, ...others] }),
  }
}
