import type { ServerResponse } from 'node:http'

import { GatewayError } from '../contract/errors.ts'
import { stateOf } from './connections.ts'

/**
 * Finds the fault of a request that Node accepts although a proxy before the gateway may read it
 * differently: the error with status 400, 501 for a transfer coding that the gateway does not decode, or 505
 * for another version than 1.0 and 1.1 (RFC 9112 sections 2.3, 3.2 and 6.1). Its connection ends with the answer, so that no request is hidden in
 * another. Call it before Node parses the bytes that follow.
 */
export function refuseAmbiguous(response: ServerResponse): GatewayError | undefined {
  const fault = faultOf(response.req)
  if (!fault) return undefined
  response.setHeader('connection', 'close')
  stateOf(response.req.socket).hasLastAnswer = true
  return fault
}

function faultOf(request: ServerResponse['req']): GatewayError | undefined {
  const { httpVersion, headers, rawHeaders, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unsupportedVersion()
  if (!url.startsWith('/') && !validTarget.test(url)) return invalid('The target is not valid.')
  const at = hostAfter(rawHeaders, 0)
  if (at < 0 && httpVersion !== '1.0') return invalid('The Host header is missing.')
  if (at >= 0) {
    if (!isHost(rawHeaders[at + 1] as string)) return invalid('The Host header is not valid.')
    if (hostAfter(rawHeaders, at + 2) >= 0)
      return invalid('The request has more than one Host header.')
  }
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (httpVersion === '1.0') return invalid('HTTP/1.0 has no Transfer-Encoding.')
  return coding.trim().toLowerCase() === 'chunked' ? undefined : unsupportedCoding()
}

/** A target that is not a path: `*`, or a whole URL. */
const validTarget = /^(?:\*$|https?:\/\/[^/?#])/i

/**
 * The index of the next Host header, or -1. `headers` has the first of several only, and an adapter may
 * replace it there.
 */
function hostAfter(rawHeaders: readonly string[], start: number): number {
  for (let index = start; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') return index
  }
  return -1
}

/** A name or an IPv4 address, or an IPv6 address in brackets, each with an optional port; or nothing. */
const validHost =
  /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d{0,5})?$|^\[[\da-f:.]{2,45}\](?::\d{0,5})?$/i

/** Clients name the same host in nearly every request. */
let lastValid = ''

function isHost(host: string): boolean {
  if (host === lastValid) return true
  if (!validHost.test(host)) return false
  lastValid = host
  return true
}

function unsupportedVersion(): GatewayError {
  const message = 'Requests are HTTP/1.1 or HTTP/1.0.'
  return new GatewayError('invalid_request', message, { status: 505 })
}

function unsupportedCoding(): GatewayError {
  const message = 'The only supported Transfer-Encoding is chunked.'
  return new GatewayError('invalid_request', message, { status: 501 })
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
