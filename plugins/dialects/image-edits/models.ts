import { compilePatterns } from '../../../src/accounts/patterns.ts'
import { isPresent, wrong } from '../../../src/checks.ts'
import { GatewayError } from '../../../src/errors.ts'
import type { Authenticated } from '../../../src/exchange.ts'
import type { ImageModels } from '../../../src/media/image.ts'
import type { Values } from './values.ts'

/** The model of a call, and what may be asked of it. */
export interface ChosenModel {
  readonly name: string
  /** `later`: as `newer`, with sizes and qualities of its own. */
  readonly kind: 'legacy' | 'newer' | 'later'
}

/** Tells the models of calls. */
export type ChooseModel = (exchange: Authenticated, values: Values) => ChosenModel

/** What only newer models take (spec, image edits). */
export const newerOnly = [
  'background',
  'input_fidelity',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
]

const newerQualities = new Set<unknown>(['high', 'medium', 'low'])

export function createModelChoice({ legacy, current, later }: ImageModels): ChooseModel {
  const isLegacy = compilePatterns(legacy)
  const isLater = compilePatterns(later)
  const [usual] = legacy.filter((name) => !name.includes('*'))
  return ({ snapshot }, values) => {
    const asked = modelIn(values)
    const name = asked ?? (asksForNewer(values) ? current : (usual ?? current))
    if (asked === undefined && !snapshot.resolve(name)) throw noModel(name)
    const names = [name, snapshot.platformName(name)]
    if (names.some(isLegacy)) return { name, kind: 'legacy' }
    return { name, kind: names.some(isLater) ? 'later' : 'newer' }
  }
}

function modelIn(values: Values): string | undefined {
  if (!isPresent(values, 'model')) return undefined
  const { model } = values
  if (typeof model === 'string' && model.trim() !== '') return model
  throw wrong('model', 'a non-empty string')
}

function asksForNewer(values: Values): boolean {
  if (newerOnly.some((name) => isPresent(values, name)) || values['stream'] === true) return true
  return newerQualities.has(values['quality'])
}

function noModel(usual: string): GatewayError {
  const message = `\`model\` is required: it would be \`${usual}\`, which no account has.`
  return new GatewayError('missing_required_parameter', message, { param: 'model' })
}
