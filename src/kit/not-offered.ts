import { type ServeOperation, defineOperation } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'

/**
 * Answers where a dialect's SDKs have a call that this gateway has not, and which would be taken for
 * another one, or for a mistake in the address.
 */
export function notOffered(id: string, method: ServeOperation['method'], path: string) {
  return defineOperation({
    id,
    method,
    paths: [path],
    auth: 'none',
    hidden: true,
    summary: 'Not offered here',
    serve() {
      throw new GatewayError('not_found', `${method} ${path} is not offered here.`)
    },
  })
}
