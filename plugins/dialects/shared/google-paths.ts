import type { Authenticated } from '../../../src/contract/exchange.ts'
import { unknownModel } from '../../../src/kit/models.ts'

const version = '/{version:v1beta|v1|v1alpha|v1beta1}'

/** Path patterns that name a model (docs/wire/gemini.md 1.1). The AI SDK uses the last one. */
const modelPaths = [
  `${version}/models/{model+}`,
  `${version}/publishers/{publisher}/models/{model+}`,
  `${version}/projects/{project}/locations/{location}/publishers/{publisher}/models/{model+}`,
  `${version}/{publisher}/{model}`,
]

/** Returns the path patterns of one operation on a model. `verb` follows the last colon. */
export function verbPaths(verb: string): string[] {
  return modelPaths.map((path) => `${path}:${verb}`)
}

/**
 * Returns the model that the path's parameters name, and the alternative names to try. Some clients
 * write the publisher `google` for models without a publisher, so that the name without it is an
 * alternative there. Throws `model_not_found` when the name is not safe inside of a path.
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

/**
 * Rejects names that could escape from the upstream path, which contains the name again: dot segments,
 * and characters that a proxy may decode or normalise.
 */
function isModelPath(model: string): boolean {
  const segments = model.split('/')
  const climbs = segments.some((segment) => /^\.{0,2}$/.test(segment))
  return segments.length <= 2 && !climbs && !/[\\%?#]|\p{Cc}/u.test(model)
}
