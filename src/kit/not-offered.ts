import { type ServeOperation, defineOperation } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'

/**
 * Defines a hidden operation that replies 404, for an endpoint that the dialect's SDKs have and this
 * gateway does not support. Without it another operation's pattern could match the path.
 */
export function notOffered(id: string, method: ServeOperation['method'], path: string) {
  return defineOperation({
    id,
    method,
    paths: [path],
    auth: 'none',
    hidden: true,
    summary: 'Not supported',
    serve() {
      throw new GatewayError('not_found', `This gateway does not support ${method} ${path}.`)
    },
  })
}
