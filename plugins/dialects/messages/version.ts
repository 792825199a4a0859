import { isPresent } from '../../../src/checks.ts'
import { GatewayError } from '../../../src/errors.ts'
import type { ClientRequest, Routed } from '../../../src/exchange.ts'

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

export function requireVersion(request: ClientRequest): void {
  if (clientVersion(request) !== undefined) return
  throw new GatewayError(
    'missing_required_parameter',
    'The header `anthropic-version` (or `provider-version`) is required.',
    { param: 'anthropic-version' },
  )
}

export function upstreamVersion({ request, body }: Routed, policy: VersionPolicy): string {
  const version = clientVersion(request) ?? samplingVersion
  const samples = samplingFields.some((field) => isPresent(body.json, field))
  return policy === 'adapt' && samples ? samplingVersion : version
}
