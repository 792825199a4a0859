import type { ErrorCode } from '../../contract/errors.ts'
import type { Ended } from '../../contract/exchange.ts'

/** The results of `authFailureOf`. */
export const authFailures = [
  'missing',
  'invalid',
  'expired',
  'disabled',
  'scope',
  'signature',
  'unavailable',
] as const

/** The results of `bindingResultOf`. */
export const bindingResults = ['hit', 'not_found', 'account_unavailable', 'lookup_error'] as const

/**
 * Why a request was refused for its credential; `undefined` if it was not. Its client learns less: to it an expired or
 * disabled key is one that does not exist, and so is a model beyond the scope of its key.
 */
export function authFailureOf(exchange: Ended): (typeof authFailures)[number] | undefined {
  const { caller, operation, progress } = exchange
  const refused = progress.error?.refusedKey?.refused
  // Plugins in JavaScript may have any word.
  if (refused === 'expired' || refused === 'disabled' || refused === 'scope') return refused
  switch (progress.error?.code) {
    case 'unauthenticated':
      return hasCredential(exchange) ? 'invalid' : 'missing'
    case 'url_signature_invalid':
      return 'signature'
    case 'url_expired':
      return 'expired'
    case 'lookup_unavailable':
      return !caller && operation?.auth === 'key' ? 'unavailable' : undefined
    default:
      return undefined
  }
}

/** A dialect's reader of credentials is a plugin's, and may throw. */
function hasCredential({ dialect, request }: Ended): boolean {
  try {
    return dialect?.credential(request) !== undefined
  } catch {
    return false
  }
}

type BindingResult = (typeof bindingResults)[number]

const results: Partial<Record<ErrorCode, BindingResult>> = {
  previous_response_not_found: 'not_found',
  not_found: 'not_found',
  previous_response_account_unavailable: 'account_unavailable',
  owner_unavailable: 'account_unavailable',
  previous_response_lookup_unavailable: 'lookup_error',
  lookup_unavailable: 'lookup_error',
}

/** The result of the look-up of a binding; `undefined` for a call that refers to nothing. */
export function bindingResultOf({ call, progress }: Ended): BindingResult | undefined {
  if (!call || call.refersTo.length === 0) return undefined
  const { error, routing, attempt } = progress
  const result = error && results[error.code]
  // An account that is asked may know nothing of a resource that has a binding.
  if (attempt && result !== 'account_unavailable') return 'hit'
  return result ?? (routing ? 'hit' : undefined)
}

/** Why the look-up of a job failed; `undefined` for one that did not, and for other calls. */
export function jobResultOf({ operation, progress: { error } }: Ended): BindingResult | undefined {
  return operation?.capability === 'video-job' && error ? results[error.code] : undefined
}
