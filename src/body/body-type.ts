import { GatewayError } from '../contract/errors.ts'
import type { Identified } from '../contract/exchange.ts'

/** The request that carries a body, and its operation. */
export type BodyContext = Pick<Identified, 'request' | 'operation'>

/**
 * Checks that a body that failed to parse was meant as JSON: its `content-type` is optional. Throws
 * `GatewayError` 415, with the supported types, for a form or another type of content.
 */
export function assertJsonIntended(text: string, { request, operation }: BodyContext): void {
  const type = request.headers['content-type']
  const takesForms = operation.body === 'form'
  if (/^\s*--/.test(text)) throw looksLikeForm(type, takesForms)
  if (/^\s*[{[]/.test(text) || mayBeJson(type)) return
  const types = takesForms ? 'multipart/form-data or application/json' : 'application/json'
  throw new GatewayError('unsupported_media_type', `Send this request as ${types}.`)
}

/** `text/plain` and a missing type count as JSON: some clients set no better type. */
function mayBeJson(type = ''): boolean {
  return /^(?:$|text\/plain\b|[^;]*json\b)/i.test(type.trimStart())
}

/**
 * The error for a form without its boundary. HTTP clients set the boundary in `content-type` unless
 * the caller sets that header.
 */
function looksLikeForm(type: string | undefined, takesForms: boolean): GatewayError {
  const [, stated = 'another type'] = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type ?? '') ?? []
  const message = takesForms
    ? `The body is a form, but \`content-type\` is ${stated.slice(0, 100)}. Let your HTTP client set that header.`
    : 'The body is a form. Send this request as application/json.'
  return new GatewayError('unsupported_media_type', message)
}
