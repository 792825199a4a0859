import { GatewayError } from './errors.ts'
import type { Identified } from './exchange.ts'
import type { Mismatch } from './routes.ts'

/** Says nothing of which keys there are. */
export function unauthenticated(
  { dialect }: Identified,
  credential: string | undefined,
): GatewayError {
  if (credential !== undefined) {
    return new GatewayError('unauthenticated', 'The API key is not valid.')
  }
  const { credentialAs = ['Authorization: Bearer KEY'] } = dialect
  const places = credentialAs.map((place) => `\`${place}\``).join(' or ')
  return new GatewayError('unauthenticated', `There is no API key: send it as ${places}.`)
}

/** Names what can be had at a path instead: other methods, or other actions. */
export function notHere({ allowed, action }: Mismatch, method = ''): GatewayError {
  if (action) {
    const { name, known } = action
    const others = `${known.length === 1 ? 'there is' : 'there are'} ${known.join(', ')}`
    const message = `There is no action \`${name.slice(0, 200)}\` here; ${others}.`
    return new GatewayError('not_found', message)
  }
  if (allowed.length === 0) return new GatewayError('not_found', 'There is nothing at this path.')
  const message = `This path does not take ${method}: use ${allowed.join(' or ')}.`
  return new GatewayError('method_not_allowed', message, {
    headers: { allow: allowed.join(', ') },
  })
}
