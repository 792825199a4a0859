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
import { ReplayObserver } from './replay-observer.ts'

/** An operation on something that an account keeps, and that only this account can serve. */
export interface ByIdSettings extends Pick<
  ForwardOperation,
  'id' | 'method' | 'summary' | 'body' | 'schema' | 'replies'
> {
  /** What is kept there: `{id}` of the path is its id. */
  readonly kind: 'response' | 'conversation'
  readonly path: string
  readonly outcome: NativeForward['outcome']
  /** Answers where the gateway keeps it itself. */
  readonly serveStored: ServeStored
  /** What the call has beyond its reference. */
  understand?(exchange: Authenticated, body: RequestBody): Partial<Call>
}

/** Such a call names no model: whoever owns the resource may ask for it. */
export function byId({ kind, path, outcome, serveStored, understand, ...shape }: ByIdSettings) {
  return defineOperation({
    ...shape,
    paths: [path],
    auth: 'key',
    capability: `stored-${kind}`,
    understand(exchange, body) {
      const { id = '', item } = exchange.params
      if (item !== undefined) refuseClimbing(item)
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
      target: ({ params, request }) => ({ path: fill(path, params), query: request.query }),
      observer: (exchange) => new ReplayObserver(exchange),
      outcome,
      serveStored,
    },
  })
}

/** The path on the account, with the parameters encoded again. */
function fill(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

/** Items are not looked up here, and one named `..` would be its conversation, or another one. */
function refuseClimbing(item: string): void {
  if (!item.split(/[/\\]/).some((segment) => segment === '.' || segment === '..')) return
  throw new GatewayError('not_found', `Item with id '${item}' not found.`)
}
