import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type {
  Effort,
  OutputFormat,
  Reasoning,
  Sampling,
} from '../../../../../src/generate/request.ts'
import { budgetFeature } from '../../../../../src/generate/effort.ts'
import { numberAt } from '../../../../../src/lib/json/read.ts'
import {
  checkDepth,
  objectMember,
  readObject,
  textMember,
} from '../../../../../src/kit/codec/read.ts'
import { noteMembers } from './members.ts'
import type { MessageNotes } from './read.ts'

const efforts: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'] satisfies Effort[]

const configKeys = new Set(['effort', 'format'])

/** Reads the reasoning settings from `thinking` and `output_config.effort`. */
export function readReasoning(body: JsonObject, notes: MessageNotes): Reasoning | undefined {
  const effort = readEffort(body)
  const thinking = readThinking(body, effort, notes)
  if (thinking) notes.sets('reasoning', 'thinking')
  if (thinking?.effort === 'none') {
    if (effort) notes.extra('output_config.effort', 'silent', 'thinking is disabled')
    return thinking
  }
  if (effort) notes.uses('reasoning_effort', 'output_config.effort')
  return effort || thinking ? { ...thinking, ...(effort && { effort }) } : undefined
}

function readEffort({ output_config: config }: JsonObject): Effort | undefined {
  const effort = (config as JsonObject | null | undefined)?.effort ?? undefined
  if (effort === undefined) return undefined
  if (!efforts.includes(effort)) throw wrong('output_config.effort', `one of ${efforts.join(', ')}`)
  return effort as Effort
}

function readThinking(
  { thinking }: JsonObject,
  effort: Effort | undefined,
  notes: MessageNotes,
): Reasoning | undefined {
  if ((thinking ?? undefined) === undefined) return undefined
  const json = readObject(thinking, 'thinking')
  noteMembers('thinking', json, 'thinking', notes)
  const show = textMember(json, 'display', 'thinking') !== 'omitted'
  switch (json.type) {
    case 'enabled': {
      const budget = numberAt(json, 'budget_tokens')
      if (budget === undefined) throw wrong('thinking.budget_tokens', 'an integer')
      notes.uses(budgetFeature(budget, effort), 'thinking.budget_tokens')
      return { budget, show }
    }
    case 'adaptive':
      return { show }
    case 'between_tools':
      notes.extra(
        'thinking.type',
        'warn',
        'in other dialects the model also thinks before it answers',
      )
      return { show }
    case 'disabled':
      notes.uses('reasoning_effort', 'thinking.type')
      return { effort: 'none' }
    default:
      throw wrong('thinking.type', 'one of enabled, adaptive, disabled, between_tools')
  }
}

/** Reads structured output from `output_config.format` or the deprecated `output_format`. */
export function readOutput(body: JsonObject, notes: MessageNotes): OutputFormat | undefined {
  const config = readObject(body.output_config ?? {}, 'output_config')
  notes.rest(config, 'output_config', configKeys, new Set())
  const [field, format] =
    (config.format ?? undefined) === undefined
      ? ['output_format', body.output_format]
      : ['output_config.format', config.format]
  if ((format ?? undefined) === undefined) return undefined
  const json = readObject(format, field)
  if (json.type !== 'json_schema') throw wrong(`${field}.type`, '`json_schema`')
  noteMembers('format', json, field, notes)
  checkDepth(json.schema, `${field}.schema`)
  notes.uses('json_schema', field)
  return { kind: 'schema', schema: readObject(json.schema, `${field}.schema`) }
}

/** Reads the sampling settings. */
export function readSampling(body: JsonObject, notes: MessageNotes): Sampling {
  const temperature = numberAt(body, 'temperature')
  const topP = numberAt(body, 'top_p')
  const topK = numberAt(body, 'top_k')
  if (temperature !== undefined) notes.sets('temperature', 'temperature')
  if (topP !== undefined) notes.sets('top_p', 'top_p')
  if (topK !== undefined) notes.uses('top_k', 'top_k')
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
  }
}

/** Reads the opaque id of the end user. */
export function readEndUser(body: JsonObject, notes: MessageNotes): string | undefined {
  const metadata = objectMember(body, 'metadata')
  if (metadata) noteMembers('metadata', metadata, 'metadata', notes)
  const endUser = textMember(metadata, 'user_id', 'metadata')
  if (endUser !== undefined) notes.uses('end_user', 'metadata.user_id')
  return endUser
}
