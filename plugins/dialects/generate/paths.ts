import type { Routed } from '../../../src/contract/exchange.ts'

export { modelOfPath, verbPaths } from '../shared/google-paths.ts'

/** The account's path: the developer form, whose versions lack the client's enterprise `v1beta1`. */
export function accountPath({ params, candidate }: Routed, verb: string): string {
  const accountVersion = params.version === 'v1beta1' ? 'v1beta' : params.version
  const name = candidate.upstreamModel.replace(/^models\//, '')
  const model = encodeURIComponent(name).replace(/%(?:2F|3A|40)/g, decodeURIComponent)
  return `/${accountVersion}/models/${model}:${verb}`
}
