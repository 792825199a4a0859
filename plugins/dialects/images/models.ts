import { compilePatterns } from '../../../src/accounts/patterns.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { ImageModels } from '../../../src/media/image.ts'
import type { Values } from './values.ts'

/** The platform model of a call and the kind that determines its limits. */
export interface ChosenModel {
  readonly name: string
  /** `later` models are like `newer` ones, with other sizes and qualities. */
  readonly kind: 'legacy' | 'newer' | 'later'
}

/** Chooses and classifies image models. */
export interface ModelChoice {
  /** Returns the model of a call with this number of input images. Throws `GatewayError` 400. */
  choose(exchange: Authenticated, values: Values, images?: number): ChosenModel
  /** Whether a platform or upstream model is a legacy one. */
  isLegacy(name: string): boolean
}

/** Fields that only newer models accept (docs/wire/contract.md 6). */
export const newerOnly = [
  'background',
  'input_fidelity',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
]

/** Values that only newer models accept in fields that legacy models have, too. */
const newerValues = {
  quality: new Set<unknown>(['high', 'medium', 'low']),
  size: new Set<unknown>(['1536x1024', '1024x1536', 'auto']),
}

/** Creates the model choice from the configured patterns. */
export function createModelChoice({ legacy, current, later }: ImageModels): ModelChoice {
  const isLegacy = compilePatterns(legacy)
  const isLater = compilePatterns(later)
  const [defaultLegacy] = legacy.filter((name) => !name.includes('*'))
  const choose: ModelChoice['choose'] = ({ snapshot }, values, images = 0) => {
    const requested = modelIn(values)
    const needsNewer = images > 1 || usesNewerFeatures(values)
    const name = requested ?? (needsNewer ? current : (defaultLegacy ?? current))
    if (requested === undefined && !snapshot.resolve(name)) throw noModel(name)
    const names = [name, snapshot.platformName(name)]
    if (names.some(isLegacy)) return { name, kind: 'legacy' }
    return { name, kind: names.some(isLater) ? 'later' : 'newer' }
  }
  return { choose, isLegacy }
}

function modelIn(values: Values): string | undefined {
  if (!isPresent(values, 'model')) return undefined
  const { model } = values
  if (typeof model === 'string' && model.trim() !== '') return model
  throw wrong('model', 'a non-empty string')
}

function usesNewerFeatures(values: Values): boolean {
  if (newerOnly.some((name) => isPresent(values, name)) || values['stream'] === true) return true
  return newerValues.quality.has(values['quality']) || newerValues.size.has(values['size'])
}

function noModel(name: string): GatewayError {
  const message = `\`model\` is required: no account serves the default, \`${name}\`.`
  return new GatewayError('missing_required_parameter', message, { param: 'model' })
}
