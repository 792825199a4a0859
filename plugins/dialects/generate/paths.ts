import type { Routed } from '../../../src/contract/exchange.ts'

export { modelOfPath, verbPaths } from '../shared/google-paths.ts'

/**
 * Returns the path of an operation at the account. Accounts have the paths of the developer API, which has
 * no version `v1beta1` of the enterprise API.
 */
export function accountPath({ params, candidate }: Routed, verb: string): string {
  const accountVersion = params.version === 'v1beta1' ? 'v1beta' : params.version
  const name = candidate.upstreamModel.replace(/^models\//, '')
  const model = encodeURIComponent(name).replace(/%(?:2F|3A|40)/g, decodeURIComponent)
  return `/${accountVersion}/models/${model}:${verb}`
}
