import { isPresent } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'

/** The last version that still takes sampling fields; also what SDKs before 1.0 send. */
export const samplingVersion = '2023-06-01'

/** Fields that version 2026-10-21 and later answer with 400, even at their default. */
const samplingFields = ['temperature', 'top_p', 'top_k']

/**
 * What to tell an account whose client speaks a version that has dropped the sampling fields but
 * sends them: `adapt` names the last version that takes them, `client` lets the upstream refuse.
 */
export type VersionPolicy = 'adapt' | 'client'

/** The contract calls the header `provider-version`, the SDKs `anthropic-version`: either will do. */
export function clientVersion({ headers }: ClientRequest): string | undefined {
  const version = headers['anthropic-version'] ?? headers['provider-version']
  return (Array.isArray(version) ? version[0] : version)?.trim() || undefined
}

/** Throws where there is no version, or one that is no date: any date will do. */
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

/** A day of the calendar: `Date` alone would turn 30 February into a day of March. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export function upstreamVersion({ request, body }: Routed, policy: VersionPolicy): string {
  const version = clientVersion(request) ?? samplingVersion
  const samples = samplingFields.some((field) => isPresent(body.json, field))
  return policy === 'adapt' && samples ? samplingVersion : version
}
