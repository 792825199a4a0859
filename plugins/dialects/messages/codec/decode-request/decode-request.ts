import { wrong } from '../../../../../src/kit/checks.ts'
import type { RawRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { numberAt } from '../../../../../src/lib/json/read.ts'
import { readEndUser, readOutput, readReasoning, readSampling } from './decode-options.ts'
import { readToolChoice, readTools } from './decode-tools.ts'
import { readTurns } from './decode-turns.ts'
import { MessageNotes } from './read.ts'
import { objectMember, readList, textMember } from '../../../../../src/kit/codec/read.ts'

const known = new Set([
  'model',
  'messages',
  'max_tokens',
  'system',
  'stream',
  'stop_sequences',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'metadata',
  'service_tier',
  'container',
  'mcp_servers',
  'inference_geo',
  'thread',
  'billing_policy',
  'compaction',
  'speed',
])

const hints = new Set([
  'betas',
  'cache_control',
  'fallback_credit_token',
  'user_profile_id',
  'workspace_id',
])

/** The fields that only accounts of this API support, with the reasons. */
const nativeReasons = {
  container: 'only the account that created a container has it',
  mcp_servers: 'only accounts of the Messages API connect to MCP servers themselves',
  inference_geo: 'only accounts of the Messages API guarantee where a model runs',
  thread: 'only one account stores the earlier messages of the thread',
  compaction: 'only accounts of the Messages API compact a conversation',
}

/** Decodes a client's request of the Messages API. Throws `invalid_value` and its kin. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const notes = new MessageNotes()
  const turns = readTurns(body, notes)
  const tools = readTools(body, notes)
  const output = readOutput(body, notes)
  const reasoning = readReasoning(body, notes)
  const endUser = readEndUser(body, notes)
  const stop = readStops(body, notes)
  const serviceTier = readTier(body, notes)
  const maxOutputTokens = readLimit(body, notes)
  const choice = readToolChoice(body, notes)
  const sampling = readSampling(body, notes)
  noteRest(body, notes)
  return {
    stream,
    turns,
    tools,
    ...choice,
    ...(output && { output }),
    ...(reasoning && { reasoning }),
    sampling,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop && { stop }),
    ...(endUser !== undefined && { endUser }),
    ...(serviceTier !== undefined && { serviceTier }),
    fields: notes.fields,
    settings: notes.settings,
    extras: notes.extras,
  }
}

function noteRest(body: JsonObject, notes: MessageNotes): void {
  for (const [field, reason] of Object.entries(nativeReasons)) {
    const value = body[field] ?? undefined
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) {
      notes.native(field, reason)
    }
  }
  noteWord(textMember(body, 'speed') ?? 'standard', 'standard', 'speed', notes)
  const payer =
    textMember(objectMember(body, 'billing_policy'), 'bill_to', 'billing_policy') ?? 'self'
  noteWord(payer, 'self', 'billing_policy.bill_to', notes)
  notes.rest(body, '', known, hints)
}

/** Notes a setting as a loss unless it has the value that it has by default. */
function noteWord(word: string, standard: string, field: string, notes: MessageNotes): void {
  if (word !== standard) notes.extra(field, 'warn', 'only the Messages API has this setting')
}

/** Reads the limit of output tokens. With 0 the request only warms the provider's cache. */
function readLimit(body: JsonObject, notes: MessageNotes): number | undefined {
  const limit = numberAt(body, 'max_tokens')
  if (limit !== undefined) notes.sets('max_output_tokens', 'max_tokens')
  if (limit !== 0) return limit
  notes.native('max_tokens', 'other dialects accept no limit of 0 tokens', 'use 1 or more')
  return undefined
}

function readStops(body: JsonObject, notes: MessageNotes): readonly string[] | undefined {
  const stop = readList(body.stop_sequences ?? [], 'stop_sequences').map((sequence, position) => {
    if (typeof sequence === 'string') return sequence
    throw wrong(`stop_sequences[${position}]`, 'a string')
  })
  if (stop.length === 0) return undefined
  notes.uses('stop', 'stop_sequences')
  return stop
}

function readTier(body: JsonObject, notes: MessageNotes): string | undefined {
  const tier = textMember(body, 'service_tier')
  if (tier !== undefined && tier !== 'auto') notes.uses('service_tier', 'service_tier')
  return tier === 'standard_only' ? 'default' : tier
}
