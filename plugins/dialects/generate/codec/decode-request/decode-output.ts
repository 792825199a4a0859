import { budgetFeature } from '../../../../../src/generate/effort.ts'
import type { Effort, OutputFormat, Reasoning } from '../../../../../src/generate/request.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { defined, isObject } from '../../../../../src/lib/json/object.ts'
import type { RequestNotes, Rules } from './notes.ts'
import type { RequestObject } from './request-object.ts'
import { toJsonSchema } from './schemas.ts'

type Schema = Record<string, unknown>

/**
 * Closes the objects of an answer's schema. Accounts of this dialect write only the members in
 * `properties`, so that clients omit `additionalProperties: false`, which other dialects need.
 */
function closeObjects(schema: Schema): Schema {
  const isWhole = !combiningKeywords.some((name) => name in schema)
  const closed = closeSubschemas(schema, isWhole || !isObject(schema.properties))
  return isWhole && isOpen(schema) ? { ...closed, additionalProperties: false } : closed
}

/** Next to these keywords, `properties` has only some of the object's members. */
const combiningKeywords = ['anyOf', 'oneOf', 'allOf', '$ref']

function isOpen({ type, properties, additionalProperties }: Schema): boolean {
  const isOfObjects = Array.isArray(type) ? type.includes('object') : type === 'object'
  const isNamed = isObject(properties) && Object.keys(properties).length > 0
  return isOfObjects && isNamed && additionalProperties === undefined
}

function closeSubschemas(schema: Schema, areChoicesWhole: boolean): Schema {
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

/** Reads `thinkingConfig`. With a budget of -1 the model decides, as without a budget. */
export function readThinking(config: RequestObject, notes: RequestNotes): Reasoning | undefined {
  const thinking = config.object('thinkingConfig')
  if (!thinking) return undefined
  notes.noteOthers(thinking, rules)
  const effort = readLevel(thinking)
  const limit = thinking.integer('thinkingBudget', { least: -1 })
  const budget = limit !== undefined && limit >= 0 ? limit : undefined
  if (effort !== undefined) notes.uses('reasoning_effort', thinking.pathOf('thinkingLevel'))
  if (budget !== undefined)
    notes.uses(budgetFeature(budget, effort), thinking.pathOf('thinkingBudget'))
  const reasoning = defined({ effort, budget, show: thinking.boolean('includeThoughts') })
  if (Object.keys(reasoning).length === 0) return undefined
  notes.sets('reasoning', config.pathOf('thinkingConfig'))
  return reasoning
}

function readLevel(thinking: RequestObject): Effort | undefined {
  const word = thinking.text('thinkingLevel')?.toUpperCase()
  if (word === undefined || word === 'THINKING_LEVEL_UNSPECIFIED') return undefined
  const effort = efforts.get(word)
  if (!effort)
    throw wrong(thinking.pathOf('thinkingLevel'), `one of ${[...efforts.keys()].join(', ')}`)
  return effort
}

const json = 'application/json'

/** Reads the output format. A schema without a media type implies JSON. */
export function readOutput(config: RequestObject, notes: RequestNotes): OutputFormat | undefined {
  const mediaType = config.text('responseMimeType')
  if (mediaType !== undefined && mediaType !== json && mediaType !== 'text/plain') {
    notes.noteLoss(config.pathOf('responseMimeType'), [
      'native',
      'only the Gemini API supports this output format',
    ])
    return undefined
  }
  const schema = readSchema(config, notes)
  if (schema) return { kind: 'schema', schema }
  if (mediaType === json) {
    notes.uses('json_object', config.pathOf('responseMimeType'))
    return { kind: 'json' }
  }
  return mediaType === undefined ? undefined : { kind: 'text' }
}

function readSchema(
  config: RequestObject,
  notes: RequestNotes,
): Record<string, unknown> | undefined {
  const own = config.object('responseSchema')
  const standard = config.object('responseJsonSchema')
  if (!own && !standard) return undefined
  for (const field of ['responseSchema', 'responseJsonSchema']) {
    checkDepth(config.value(field), config.pathOf(field))
  }
  notes.uses('json_schema', config.pathOf(standard ? 'responseJsonSchema' : 'responseSchema'))
  if (standard) return { ...standard.json }
  return closeObjects(toJsonSchema({ ...own?.json }, config.pathOf('responseSchema')))
}
