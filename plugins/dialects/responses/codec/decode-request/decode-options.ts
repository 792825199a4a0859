import { isPresent, wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type {
  Effort,
  GenerateRequest,
  OutputFormat,
  Reasoning,
} from '../../../../../src/generate/request.ts'
import { numberAt, objectAt } from '../../../../../src/lib/json/read.ts'
import { booleanMember, checkDepth, textMember } from '../../../../../src/kit/codec/read.ts'
import { type Mutable, type HintOptions, readHints } from './decode-hints.ts'
import { noteMembers } from './members.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'

/** Reads every option of a request, that is all but its turns and tools. */
export function readOptions(body: JsonObject, notes: Notes): HintOptions {
  const options: HintOptions = { sampling: readSampling(body, notes) }
  const limit = numberAt(body, 'max_output_tokens')
  if (limit !== undefined) {
    options.maxOutputTokens = limit
    notes.sets('max_output_tokens', 'max_output_tokens')
  }
  readText(body, options, notes)
  const reasoning = readReasoning(body, notes)
  if (reasoning) options.reasoning = reasoning
  readHints(body, options, notes)
  return options
}

function readSampling(body: JsonObject, notes: Notes): GenerateRequest['sampling'] {
  const sampling: Mutable<GenerateRequest['sampling']> = {}
  const temperature = numberAt(body, 'temperature')
  if (temperature !== undefined) {
    sampling.temperature = temperature
    notes.sets('temperature', 'temperature')
  }
  if (temperature !== undefined && temperature > 1) notes.uses('temperature_above_1', 'temperature')
  const topP = numberAt(body, 'top_p')
  if (topP !== undefined) {
    sampling.topP = topP
    notes.sets('top_p', 'top_p')
  }
  for (const [key, feature] of penalties) {
    const penalty = numberAt(body, feature)
    if (penalty === undefined) continue
    sampling[key] = penalty
    if (penalty !== 0) notes.uses(feature, feature)
  }
  return sampling
}

const penalties = [
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
] as const

const verbosities = ['low', 'medium', 'high'] as const

function readText(body: JsonObject, options: HintOptions, notes: Notes): void {
  const json = objectAt(body, 'text')
  if (!json) return
  noteMembers('answer', json, 'text', notes)
  const verbosity = oneOf(json, 'verbosity', verbosities, 'text.')
  if (verbosity) {
    options.verbosity = verbosity
    if (verbosity !== 'medium') notes.uses('verbosity', 'text.verbosity')
  }
  if (!isPresent(json, 'format')) return
  const format = objectAt(json, 'format')
  if (format) noteMembers('format', format, 'text.format', notes)
  options.output = readFormat(format)
  if (options.output.kind === 'json') notes.uses('json_object', 'text.format')
  if (options.output.kind === 'schema') notes.uses('json_schema', 'text.format')
}

function readFormat(format: JsonObject | undefined): OutputFormat {
  switch (format?.type) {
    case 'text':
      return { kind: 'text' }
    case 'json_object':
      return { kind: 'json' }
    case 'json_schema':
      return readSchema(format)
    default:
      throw wrong('text.format.type', '`text`, `json_object` or `json_schema`')
  }
}

function readSchema(format: JsonObject): OutputFormat {
  const schema = objectAt(format, 'schema')
  if (!schema) throw wrong('text.format.schema', 'an object')
  checkDepth(schema, 'text.format.schema')
  const name = textMember(format, 'name', 'text.format')
  const description = textMember(format, 'description', 'text.format')
  return {
    kind: 'schema',
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    strict: booleanMember(format, 'strict', 'text.format') === true,
  }
}

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const summaries = ['auto', 'concise', 'detailed'] as const

function readReasoning(body: JsonObject, notes: Notes): Reasoning | undefined {
  const json = objectAt(body, 'reasoning')
  if (!json) return undefined
  const effort = oneOf(json, 'effort', efforts, 'reasoning.')
  if (effort) notes.uses('reasoning_effort', 'reasoning.effort')
  const summaryField = isPresent(json, 'summary') ? 'summary' : 'generate_summary'
  const summary = oneOf(json, summaryField, summaries, 'reasoning.')
  if (summary) notes.uses('reasoning_summary', `reasoning.${summaryField}`)
  if (!effort && !summary) return undefined
  return { ...(effort && { effort }), ...(summary && { summary, show: true }) }
}

function oneOf<T extends string>(
  object: JsonObject,
  field: string,
  words: readonly T[],
  path: string,
): T | undefined {
  if (!isPresent(object, field)) return undefined
  const word = words.find((candidate) => candidate === object[field])
  if (word === undefined) throw wrong(path + field, `one of ${words.join(', ')}`)
  return word
}
