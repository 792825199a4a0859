import type { Routed } from '../../../src/contract/exchange.ts'
import { accountModelPath } from '../shared/google-paths.ts'

/**
 * Returns the path of an operation at the account. The developer API has no version `v1beta1` of the
 * enterprise API.
 */
export function accountPath({ params, candidate }: Routed, verb: string): string {
  const version = params.version === 'v1beta1' ? 'v1beta' : params.version
  return accountModelPath(candidate.upstreamModel, verb, version)
}
