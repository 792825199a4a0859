import { GatewayError } from '../contract/errors.ts'
import type { Identified } from '../contract/exchange.ts'

/** How a body was sent, and to what. */
export type Sent = Pick<Identified, 'request' | 'operation'>

/**
 * For a body that is no JSON: whether it was meant to be. JSON is read whatever its type says, and
 * told its mistakes; anything else is told what to be sent as. Throws `GatewayError` 415.
 */
export function assertMeantAsJson(text: string, { request, operation }: Sent): void {
  const type = request.headers['content-type']
  const takesForms = operation.body === 'form'
  if (/^\s*--/.test(text)) throw looksLikeForm(type, takesForms)
  if (/^\s*[{[]/.test(text) || mayBeJson(type)) return
  const types = takesForms ? 'multipart/form-data or application/json' : 'application/json'
  throw new GatewayError('unsupported_media_type', `Send this request as ${types}.`)
}

/** Clients that know of no types send text. */
function mayBeJson(type = ''): boolean {
  return /^\s*(?:$|text\/plain\b|[^;]*json\b)/i.test(type)
}

/** Clients write the boundary into a header of their own, unless there is one already. */
function looksLikeForm(type: string | undefined, takesForms: boolean): GatewayError {
  const [, told = 'something else'] = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type ?? '') ?? []
  const message = takesForms
    ? `This looks like a form, but \`content-type\` says ${told.slice(0, 100)}: leave that header to your client.`
    : 'This looks like a form: send this request as application/json.'
  return new GatewayError('unsupported_media_type', message)
}
