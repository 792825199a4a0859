import { hash } from 'node:crypto'

import type { EncodedRequest, RecordLoss } from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { isThinking } from '../encode-answer.ts'
import { encodeText } from '../encode-media.ts'
import { encodeOutput } from './encode-output.ts'
import { type EncodedThinking, encodeThinking } from './encode-thinking.ts'
import { encodeTools } from './encode-tools.ts'
import { type Message, encodeTurns, endWithUser } from './encode-turns.ts'
import { type ModelFacts, modelFacts } from './models.ts'

/**
 * Encodes a request for an account of the Messages API. Where settings exclude each other, thinking gives
 * way to a prefill and to a forced tool.
 */
export function encodeRequest(
  request: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  const facts = modelFacts(upstreamModel)
  const messages = encodeTurns(request, drop)
  const hasPrefill = endsWithPrefill(request, messages)
  const usesPrefill = hasPrefill && facts.takesPrefill
  if (hasPrefill && !usesPrefill)
    drop(request.fields.assistant_prefill!, 'the model does not support a prefilled answer')
  const tools = encodeTools(request, facts, drop)
  const output = encodeOutput(request, facts, usesPrefill, drop)
  const thinking = encodeThinking(request, facts, drop, (mode) => {
    if (usesPrefill) return 'the model does not think when it continues a prefilled answer'
    if (tools.forced) return 'the model does not think when it is forced to call a tool'
    const isLate = mode === 'budget' && continuesWithoutThinking(messages)
    return isLate ? 'the answer that continues began without thinking' : undefined
  })
  fixLastMessage(request, messages, usesPrefill, drop)
  return {
    path: '/v1/messages',
    body: {
      model: upstreamModel,
      max_tokens: thinking.maxTokens,
      ...encodeSystem(request, [tools.instruction, output.instruction]),
      messages,
      ...tools.members,
      ...(thinking.thinking && { thinking: thinking.thinking }),
      ...encodeConfig(thinking, output.format),
      ...encodeSampling(request, facts, thinking, drop),
      ...encodeStops(request, drop),
      ...encodeAccounting(request, drop),
      ...(request.stream && { stream: true }),
    },
  }
}

/** Whether the last message is a prefill of the client, rather than an earlier answer. */
function endsWithPrefill({ fields }: GenerateRequest, messages: readonly Message[]): boolean {
  return fields.assistant_prefill !== undefined && messages.at(-1)?.role === 'assistant'
}

/**
 * Makes the last message acceptable if it is an answer: accounts refuse a prefill that ends with a space,
 * and without a prefill the last message must be the user's.
 */
function fixLastMessage(
  request: GenerateRequest,
  messages: Message[],
  usesPrefill: boolean,
  drop: RecordLoss,
): void {
  const { role, content = [] } = messages.at(-1) ?? {}
  if (role !== 'assistant') return
  if (!usesPrefill) {
    // A prefill that the model does not support is a loss already.
    if (!request.fields.assistant_prefill) {
      const reason = 'the Messages API requires a message of the user last; it is "Continue."'
      drop(settingField(request, 'conversation'), reason)
    }
    return endWithUser(messages)
  }
  const last = content.at(-1)
  if (typeof last?.text === 'string') {
    content[content.length - 1] = { ...last, text: last.text.trimEnd() }
  }
}

/**
 * Whether the messages end with results for an answer that does not begin with thinking. Accounts refuse
 * that together with a thinking budget.
 */
function continuesWithoutThinking(messages: readonly Message[]): boolean {
  const answersCalls = messages.at(-1)?.content.some(({ type }) => type === 'tool_result')
  const answer = messages.findLast(({ role }) => role === 'assistant')
  return answersCalls === true && !isThinking(answer?.content[0])
}

function encodeSystem({ turns }: GenerateRequest, instructions: readonly (string | undefined)[]) {
  const parts = turns.flatMap((turn) => (turn.role === 'system' ? turn.content : []))
  const texts = [...parts.map(({ text }) => text), ...instructions]
  const system = texts.flatMap((text) => encodeText(text ?? ''))
  return system.length > 0 && { system }
}

function encodeConfig({ effort }: EncodedThinking, format: JsonObject | undefined) {
  return (
    (effort || format) && {
      output_config: { ...(effort && { effort }), ...(format && { format }) },
    }
  )
}

/** Leaves out blank stop sequences, which accounts refuse. */
function encodeStops(request: GenerateRequest, drop: RecordLoss): JsonObject {
  const sequences = supportedStops(request, drop, (sequence) => sequence.trim() !== '')
  return sequences.length > 0 ? { stop_sequences: sequences } : {}
}

function encodeAccounting(request: GenerateRequest, drop: RecordLoss): JsonObject {
  const { endUser, serviceTier, fields } = request
  const tier = serviceTier && tiers.get(serviceTier)
  if (serviceTier && !tier)
    drop(fields.service_tier ?? 'service_tier', 'the Messages API has no such tier')
  return {
    ...(endUser && { metadata: { user_id: opaque(endUser) } }),
    ...(tier && { service_tier: tier }),
  }
}

const tiers = new Map([
  ['auto', 'auto'],
  ['priority', 'auto'],
  ['default', 'standard_only'],
  ['standard', 'standard_only'],
])

/** Hashes ids that accounts refuse: long ones, and those that look like a mail address or phone number. */
function opaque(endUser: string): string {
  const isOpaque = /^[\w.:-]{1,256}$/.test(endUser) && !/^[\d.:-]+$/.test(endUser)
  return isOpaque ? endUser : hash('sha256', endUser, 'hex')
}

/** Encodes the sampling settings. New models, and all models while they think, do not support them. */
function encodeSampling(
  request: GenerateRequest,
  { known, takesSampling }: ModelFacts,
  { thinks }: EncodedThinking,
  drop: RecordLoss,
): JsonObject {
  if (!takesSampling) return withoutAny(request, drop, 'the model does not support it')
  if (thinks) return withoutAny(request, drop, 'the model does not support it while it thinks')
  const { temperature, topP, topK } = request.sampling
  // Known models support only one of the two.
  const isSecond = known && temperature !== undefined
  if (isSecond && differsFromDefault(topP)) {
    drop(
      settingField(request, 'top_p'),
      'the model does not support it together with a temperature',
    )
  }
  return defined({
    temperature: atLeast(0, temperature, settingField(request, 'temperature'), drop, 1),
    top_p: isSecond ? undefined : atLeast(0, topP, settingField(request, 'top_p'), drop, 1),
    top_k: atLeast(1, topK && Math.floor(topK), request.fields.top_k ?? 'top_k', drop),
  })
}

/** A value, lowered to `most`. A value below `least` has no meaning here: it is left out and named. */
function atLeast(
  least: number,
  value: number | undefined,
  field: string,
  drop: RecordLoss,
  most = Infinity,
): number | undefined {
  if (value === undefined) return undefined
  if (value >= least) return Math.min(most, value)
  drop(field, `the Messages API accepts no value below ${least}`, `use ${least} or more`)
  return undefined
}

function withoutAny(request: GenerateRequest, drop: RecordLoss, reason: string): JsonObject {
  const { temperature, topP, topK } = request.sampling
  if (differsFromDefault(temperature)) drop(settingField(request, 'temperature'), reason)
  if (differsFromDefault(topP)) drop(settingField(request, 'top_p'), reason)
  if (topK !== undefined) drop(request.fields.top_k ?? 'top_k', reason)
  return {}
}

/** Whether a value differs from 1, the default. */
function differsFromDefault(value: number | undefined): boolean {
  return value !== undefined && value !== 1
}
