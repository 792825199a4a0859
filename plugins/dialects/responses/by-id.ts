import type { RequestBody } from '../../../src/contract/body.ts'
import {
  type ForwardOperation,
  type NativeForward,
  type ServeStored,
  defineOperation,
} from '../../../src/contract/operation.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { fillPath, isSegment } from '../../../src/kit/account-path.ts'
import { endStatusIn, explainsEnd, storedOutcome } from './outcome.ts'
import type { Observation } from '../../../src/contract/observer.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import type { ObservedEvent } from '../../../src/kit/observe.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { ResponsesObserver } from './observer.ts'

/** Settings of an operation on a stored resource that only one account can serve. */
export interface ByIdSettings extends Pick<
  ForwardOperation,
  'id' | 'method' | 'summary' | 'body' | 'schema' | 'replies' | 'turns'
> {
  /** The kind of the resource whose id is `{id}` in the path. */
  readonly kind: 'response' | 'conversation'
  readonly path: string
  readonly outcome: NativeForward['outcome']
  /** Creates the reply when the gateway stores the resource itself. */
  readonly serveStored: ServeStored
  /** Returns members of the call besides the reference to the resource. */
  understand?(exchange: Authenticated, body: RequestBody): Partial<Call>
}

/**
 * Defines an operation on a stored resource. The call names no model; the binding picks the
 * account.
 */
export function byId({ kind, path, outcome, serveStored, understand, ...shape }: ByIdSettings) {
  return defineOperation({
    ...shape,
    paths: [path],
    auth: 'key',
    capability: `stored-${kind}`,
    understand(exchange, body) {
      const { id = '', item } = exchange.params
      if (item !== undefined) rejectPathTraversal(item)
      return {
        model: '',
        stream: false,
        refersTo: [{ kind, id, use: 'own' }],
        edits: [],
        losses: [],
        ...understand?.(exchange, body),
      }
    },
    forward: {
      target: ({ params, request }) => ({ path: fillPath(path, params), query: request.query }),
      observer: (exchange) => new ReplayObserver(exchange),
      outcome,
      reportsFailure: explainsEnd,
      serveStored,
    },
  })
}

/** Throws `not_found` for an item id that could leave its place in the path on the account. */
function rejectPathTraversal(item: string): void {
  if (isSegment(item)) return
  throw new GatewayError('not_found', `Item with id '${item.slice(0, 200)}' not found.`)
}

/**
 * Observes the replayed events of a stored response, which may start in the middle. A failure that
 * the events report belongs to the original call, so the replay itself succeeds.
 */
class ReplayObserver extends ResponsesObserver {
  protected override classify({ name, json }: ObservedEvent): Observation {
    const status = endStatusIn(stringAt(json, 'type') ?? name)
    if (!status) return { phase: json ? 'output' : 'start' }
    return { phase: 'terminal', outcome: storedOutcome(objectAt(json, 'response'), status) }
  }

  /** Errors in the replayed events belong to the original call, so they are not errors of this call. */
  protected override errorOf(): undefined {
    return undefined
  }

  /** A client that starts after the last event receives no event; that is a complete reply. */
  override end(): Observation {
    if (this.hasOutput || !mayStartAfterLastEvent(this.exchange.request)) return super.end()
    return { phase: 'terminal', outcome: { status: 'completed', fault: 'none' } }
  }
}

/** A response has at least two events, numbered from 0, so only a number above 0 can be the last. */
function mayStartAfterLastEvent({ query }: ClientRequest): boolean {
  const [after = '', ...others] = new URLSearchParams(query).getAll('starting_after')
  return others.length === 0 && /^\d+$/.test(after) && Number(after) > 0
}
