import type { Notes } from '../../generate/notes.ts'
import type { Sampling } from '../../generate/request.ts'
import type { Feature, Setting } from '../../generate/unsupported.ts'
import { defined } from '../../lib/json/object.ts'
import { isPresent, wrong } from '../checks.ts'

/** The members of a dialect's options with sampling parameters, by their names in the neutral model. */
export type SamplingNames = Readonly<Partial<Record<keyof Sampling, string>>>

const noted: Readonly<Record<keyof Sampling, { feature: Feature } | { setting: Setting }>> = {
  temperature: { setting: 'temperature' },
  topP: { setting: 'top_p' },
  topK: { feature: 'top_k' },
  seed: { feature: 'seed' },
  presencePenalty: { feature: 'presence_penalty' },
  frequencyPenalty: { feature: 'frequency_penalty' },
}

/**
 * Reads sampling parameters from the object at `path`, and notes them. Throws `GatewayError` for other values than
 * numbers.
 */
export function readSampling(
  options: Readonly<Record<string, unknown>>,
  path: string,
  names: SamplingNames,
  notes: Notes,
): Sampling {
  const sampling: { -readonly [Name in keyof Sampling]: Sampling[Name] } = {}
  for (const [member, name] of Object.entries(names) as [keyof Sampling, string][]) {
    if (!isPresent(options, name)) continue
    const value = options[name]
    const field = `${path}.${name}`
    if (typeof value !== 'number') throw wrong(field, 'a number')
    sampling[member] = value
    const note = noted[member]
    if ('feature' in note) notes.uses(note.feature, field)
    else notes.sets(note.setting, field)
    if (member === 'temperature' && value > 1) notes.uses('temperature_above_1', field)
  }
  return sampling
}

/** Writes sampling parameters as members of a dialect's options. */
export function writeSampling(
  sampling: Sampling,
  names: SamplingNames,
): Readonly<Record<string, number>> {
  const entries = Object.entries(names) as [keyof Sampling, string][]
  const values = Object.fromEntries(entries.map(([member, name]) => [name, sampling[member]]))
  return defined(values) as Readonly<Record<string, number>>
}
