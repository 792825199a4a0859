import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import { fillPath } from '../../../src/kit/account-path.ts'

const version = '/{version:v1beta|v1|v1alpha|v1beta1}'

/** Path patterns that name a model (docs/wire/gemini.md 1.1). The AI SDK uses the last one. */
const modelPaths = [
  `${version}/models/{model*}`,
  `${version}/publishers/{publisher}/models/{model*}`,
  `${version}/projects/{project}/locations/{location}/publishers/{publisher}/models/{model*}`,
  `${version}/{publisher}/{model}`,
]

/** Returns the path patterns of one operation on a model. `verb` follows the last colon. */
export function verbPaths(verb: string): string[] {
  return modelPaths.map((path) => `${path}:${verb}`)
}

/** Returns the path at an account of a verb on a model. Accounts have the paths of the developer API. */
export function accountModelPath(
  upstreamModel: string,
  verb: string,
  accountVersion = 'v1beta',
): string {
  const model = upstreamModel.replace(/^models\//, '')
  return fillPath(`/{version}/models/{model+}:${verb}`, { version: accountVersion, model })
}

/**
 * Returns the path of an operation at the account. The developer API has no version `v1beta1` of the
 * enterprise API.
 */
export function accountPath({ params, candidate }: Routed, verb: string): string {
  const version = params.version === 'v1beta1' ? 'v1beta' : params.version
  return accountModelPath(candidate.upstreamModel, verb, version)
}

/**
 * Returns the model that the path's parameters name, and the alternative names to try. Some clients
 * write the publisher `google` for models without a publisher, so that the name without it is an
 * alternative there.
 */
export function modelOfPath({ params }: Pick<Authenticated, 'params'>): {
  model: string
  alternatives: string[]
} {
  const { publisher, model = '' } = params
  if (publisher === undefined) return { model, alternatives: [] }
  return {
    model: `${publisher}/${model}`,
    alternatives: publisher === 'google' ? [model] : [],
  }
}
