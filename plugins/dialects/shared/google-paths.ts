import type { Authenticated } from '../../../src/contract/exchange.ts'
import { unknownModel } from '../../../src/kit/models.ts'

const version = '/{version:v1beta|v1|v1alpha|v1beta1}'

/** Every spelling of a model's place (docs/wire/gemini.md 1.1). The last is one of the AI SDK's. */
export const modelPaths = [
  `${version}/models/{model+}`,
  `${version}/publishers/{publisher}/models/{model+}`,
  `${version}/projects/{project}/locations/{location}/publishers/{publisher}/models/{model+}`,
  `${version}/{publisher}/{model}`,
]

/** The paths of an operation on a model, which is named by a verb after the last colon. */
export function verbPaths(verb: string): string[] {
  return modelPaths.map((path) => `${path}:${verb}`)
}

/**
 * The model that a path means. Clients that know only `google` as publisher write it for a model
 * without one, so both spellings are tried there.
 */
export function modelOfPath({ params }: Pick<Authenticated, 'params'>): {
  model: string
  alternatives: string[]
} {
  const { publisher, model = '' } = params
  if (!isModelPath(model)) throw unknownModel(model)
  if (publisher === undefined) return { model, alternatives: [] }
  return {
    model: `${publisher}/${model}`,
    alternatives: publisher === 'google' ? [model] : [],
  }
}

/** The name becomes part of a path again: it must not climb, nor hide in what a proxy undoes. */
function isModelPath(model: string): boolean {
  const segments = model.split('/')
  const climbs = segments.some((segment) => /^\.{0,2}$/.test(segment))
  return segments.length <= 2 && !climbs && !/[\\%?#]|\p{Cc}/u.test(model)
}
