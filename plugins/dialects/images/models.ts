import { compilePatterns } from '../../../src/accounts/patterns.ts'
import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { ImageModels } from '../../../src/media/image.ts'
import type { Values } from './values.ts'

/** The model of a call, and what may be asked of it. */
export interface ChosenModel {
  readonly name: string
  /** `later`: as `newer`, with sizes and qualities of its own. */
  readonly kind: 'legacy' | 'newer' | 'later'
}

/** The image models that there are. */
export interface ModelChoice {
  /** Tells the model of a call. `images`: how many it brings along. */
  choose(exchange: Authenticated, values: Values, images?: number): ChosenModel
  /** Whether this is a legacy one, by its name here or at an account. */
  isLegacy(name: string): boolean
}

/** What only newer models take (docs/wire/contract.md 6). */
export const newerOnly = [
  'background',
  'input_fidelity',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
]

/** And what only they can do with fields that legacy ones have too. */
const newerValues = {
  quality: new Set<unknown>(['high', 'medium', 'low']),
  size: new Set<unknown>(['1536x1024', '1024x1536', 'auto']),
}

export function createModelChoice({ legacy, current, later }: ImageModels): ModelChoice {
  const isLegacy = compilePatterns(legacy)
  const isLater = compilePatterns(later)
  const [usual] = legacy.filter((name) => !name.includes('*'))
  const choose: ModelChoice['choose'] = ({ snapshot }, values, images = 0) => {
    const asked = modelIn(values)
    const asksForNewer = images > 1 || wantsNewer(values)
    const name = asked ?? (asksForNewer ? current : (usual ?? current))
    if (asked === undefined && !snapshot.resolve(name)) throw noModel(name)
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

function wantsNewer(values: Values): boolean {
  if (newerOnly.some((name) => isPresent(values, name)) || values['stream'] === true) return true
  return newerValues.quality.has(values['quality']) || newerValues.size.has(values['size'])
}

function noModel(usual: string): GatewayError {
  const message = `\`model\` is required: it would be \`${usual}\`, which no account has.`
  return new GatewayError('missing_required_parameter', message, { param: 'model' })
}
