import { isPresent } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'

/** The last version that supports sampling fields. SDKs before 1.0 send it. */
export const samplingVersion = '2023-06-01'

/** Fields that version 2026-10-21 and later refuse with status 400, even with their default values. */
const samplingFields = ['temperature', 'top_p', 'top_k']

/** Reads the version from `anthropic-version`, the SDKs' header, or from `provider-version`. */
export function clientVersion({ headers }: ClientRequest): string | undefined {
  const version = headers['anthropic-version'] ?? headers['provider-version']
  return (Array.isArray(version) ? version[0] : version)?.trim() || undefined
}

/** Throws unless the request has a version that is a date. Any date is valid. */
export function requireVersion(request: ClientRequest): void {
  assertDate(request)
  if (clientVersion(request) !== undefined) return
  throw new GatewayError(
    'missing_required_parameter',
    'The header `anthropic-version` (or `provider-version`) is required.',
    { param: 'anthropic-version' },
  )
}

function assertDate(request: ClientRequest): void {
  const version = clientVersion(request)
  if (version === undefined || isDate(version)) return
  const { 'anthropic-version': own } = request.headers
  const header = own === undefined ? 'provider-version' : 'anthropic-version'
  throw new GatewayError(
    'invalid_value',
    `The header \`${header}\` must be a date, YYYY-MM-DD, such as ${samplingVersion}.`,
    { param: header },
  )
}

/** Whether a text is a valid date. `Date` alone accepts 30 February as a day of March. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The client's version; for a request with sampling fields, the last version that supports them. */
export function upstreamVersion({ request, body }: Routed): string {
  const hasSampling = samplingFields.some((field) => isPresent(body.json, field))
  return hasSampling ? samplingVersion : (clientVersion(request) ?? samplingVersion)
}
