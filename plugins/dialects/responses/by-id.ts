import type { RequestBody } from '../../../src/contract/body.ts'
import {
  type ServeStored,
  type ForwardOperation,
  type NativeForward,
  defineOperation,
} from '../../../src/contract/operation.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { fillPath, isSegment } from '../../../src/kit/account-path.ts'
import { explainsEnd } from './outcome.ts'
import { ReplayObserver } from './replay-observer.ts'

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
