import { budgetFeature } from '../../../../../src/generate/effort.ts'
import type { Effort, OutputFormat, Reasoning } from '../../../../../src/generate/request.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { defined, isObject } from '../../../../../src/lib/json/object.ts'
import type { PlaceNotes, Rules } from './notes.ts'
import type { FieldPlace } from './field-place.ts'
import { toJsonSchema } from './schemas.ts'

type Schema = Record<string, unknown>

/**
 * The schema of an answer, lowered, with its objects closed. Accounts of this dialect write no member
 * but what `properties` names, so clients do not say it; elsewhere it has to be said.
 */
export function closeObjects(schema: Schema): Schema {
  const isWhole = !combining.some((name) => name in schema)
  const within = closeWithin(schema, isWhole || !isObject(schema.properties))
  return isWhole && isOpen(schema) ? { ...within, additionalProperties: false } : within
}

/** Beside these, `properties` is but a piece of what the object may have. */
const combining = ['anyOf', 'oneOf', 'allOf', '$ref']

function isOpen({ type, properties, additionalProperties }: Schema): boolean {
  const isOfObjects = Array.isArray(type) ? type.includes('object') : type === 'object'
  const isNamed = isObject(properties) && Object.keys(properties).length > 0
  return isOfObjects && isNamed && additionalProperties === undefined
}

function closeWithin(schema: Schema, areChoicesWhole: boolean): Schema {
  const closed = { ...schema }
  for (const name of ['properties', '$defs', 'definitions']) {
    const members = schema[name]
    if (isObject(members)) {
      closed[name] = Object.fromEntries(
        Object.entries(members).map(([key, member]) => [key, closeNode(member)]),
      )
    }
  }
  for (const name of ['items', 'additionalProperties']) {
    if (name in schema) closed[name] = closeNode(schema[name])
  }
  for (const name of areChoicesWhole ? ['anyOf', 'oneOf', 'prefixItems'] : ['prefixItems']) {
    const nodes = schema[name]
    if (Array.isArray(nodes)) closed[name] = nodes.map(closeNode)
  }
  return closed
}

function closeNode(node: unknown): unknown {
  return isObject(node) ? closeObjects(node) : node
}

const rules: Rules = { thinkingLevel: false, thinkingBudget: false, includeThoughts: false }

const efforts = new Map<string, Effort>([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
])

/** `thinkingConfig`. A budget of -1 leaves it to the model, as saying nothing does. */
export function readThinking(config: FieldPlace, notes: PlaceNotes): Reasoning | undefined {
  const thinking = config.object('thinkingConfig')
  if (!thinking) return undefined
  notes.others(thinking, rules)
  const effort = readLevel(thinking)
  const given = thinking.number('thinkingBudget')
  const budget = given !== undefined && given >= 0 ? given : undefined
  if (effort !== undefined) notes.uses('reasoning_effort', thinking.nameOf('thinkingLevel'))
  if (budget !== undefined)
    notes.uses(budgetFeature(budget, effort), thinking.nameOf('thinkingBudget'))
  const reasoning = defined({ effort, budget, show: thinking.boolean('includeThoughts') })
  if (Object.keys(reasoning).length === 0) return undefined
  notes.sets('reasoning', config.nameOf('thinkingConfig'))
  return reasoning
}

function readLevel(thinking: FieldPlace): Effort | undefined {
  const word = thinking.text('thinkingLevel')?.toUpperCase()
  if (word === undefined || word === 'THINKING_LEVEL_UNSPECIFIED') return undefined
  const effort = efforts.get(word)
  if (!effort)
    throw wrong(thinking.nameOf('thinkingLevel'), `one of ${[...efforts.keys()].join(', ')}`)
  return effort
}

const json = 'application/json'

/** The form of the answer. A schema alone asks for JSON too. */
export function readOutput(config: FieldPlace, notes: PlaceNotes): OutputFormat | undefined {
  const mediaType = config.text('responseMimeType')
  if (mediaType !== undefined && mediaType !== json && mediaType !== 'text/plain') {
    notes.lost(config.nameOf('responseMimeType'), [
      'native',
      'only the Gemini API answers in this form',
    ])
    return undefined
  }
  const schema = readSchema(config, notes)
  if (schema) return { kind: 'schema', schema }
  if (mediaType === json) {
    notes.uses('json_object', config.nameOf('responseMimeType'))
    return { kind: 'json' }
  }
  return mediaType === undefined ? undefined : { kind: 'text' }
}

function readSchema(config: FieldPlace, notes: PlaceNotes): Record<string, unknown> | undefined {
  const own = config.object('responseSchema')
  const standard = config.object('responseJsonSchema')
  if (!own && !standard) return undefined
  for (const field of ['responseSchema', 'responseJsonSchema']) {
    checkDepth(config.value(field), config.nameOf(field))
  }
  notes.uses('json_schema', config.nameOf(standard ? 'responseJsonSchema' : 'responseSchema'))
  return standard ? { ...standard.json } : closeObjects(toJsonSchema({ ...own?.json }))
}
