import { hash } from 'node:crypto'

import type { RecordLoss, EncodedRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { isThinking } from '../encode-answer.ts'
import { encodeText } from '../encode-media.ts'
import { encodeOutput } from './encode-output.ts'
import { encodeSampling } from './encode-sampling.ts'
import { type EncodedThinking, encodeThinking } from './encode-thinking.ts'
import { encodeTools } from './encode-tools.ts'
import { type Message, encodeTurns, endWithUser } from './encode-turns.ts'
import { modelFacts } from './models.ts'

/** What an account is asked. Of settings that exclude each other, the plainer demand stays. */
export function encodeRequest(
  request: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  const facts = modelFacts(upstreamModel)
  const messages = encodeTurns(request.turns)
  const goesOn = isPrefill(request, messages)
  const isBegun = goesOn && facts.takesPrefill
  if (goesOn && !isBegun)
    drop(request.fields.assistant_prefill!, 'the model begins every answer itself')
  const tools = encodeTools(request, facts, drop)
  const output = encodeOutput(request, facts, isBegun, drop)
  const thinking = encodeThinking(request, facts, drop, (way) => {
    if (isBegun) return 'no answer that is begun already has thoughts'
    if (tools.forced) return 'the model does not think where it has to call a tool'
    const isLate = way === 'budget' && lacksThoughts(messages)
    return isLate ? 'the answer that is going on was begun without thoughts' : undefined
  })
  settleEnd(messages, isBegun)
  return {
    path: '/v1/messages',
    body: {
      model: upstreamModel,
      max_tokens: thinking.maxTokens,
      ...encodeSystem(request, [tools.demand, output.demand]),
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

/** An answer at the end is one to go on with only where the client means it. */
function isPrefill({ fields }: GenerateRequest, messages: readonly Message[]): boolean {
  return fields.assistant_prefill !== undefined && messages.at(-1)?.role === 'assistant'
}

/** An answer that is begun must not end with a space; one that cannot be is answered by the user. */
function settleEnd(messages: Message[], isBegun: boolean): void {
  const { role, content = [] } = messages.at(-1) ?? {}
  if (role !== 'assistant') return
  if (!isBegun) return endWithUser(messages)
  const last = content.at(-1)
  if (typeof last?.text === 'string') content[content.length - 1] = trimmed(last, last.text)
}

function trimmed(block: JsonObject, text: string): JsonObject {
  return { ...block, text: text.trimEnd() }
}

/** With a budget, an answer whose calls are being answered has to begin with thoughts. */
function lacksThoughts(messages: readonly Message[]): boolean {
  const answersCalls = messages.at(-1)?.content.some(({ type }) => type === 'tool_result')
  const answer = messages.findLast(({ role }) => role === 'assistant')
  return answersCalls === true && !isThinking(answer?.content[0])
}

function encodeSystem({ turns }: GenerateRequest, demands: readonly (string | undefined)[]) {
  const told = turns.flatMap((turn) => (turn.role === 'system' ? turn.content : []))
  const texts = [...told.map(({ text }) => text), ...demands]
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

/** Accounts refuse sequences of nothing but space. */
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

/** Accounts refuse ids that are too long, or look like an address or a telephone number. */
function opaque(endUser: string): string {
  const isOpaque = /^[\w.:-]{1,256}$/.test(endUser) && !/^[\d.:-]+$/.test(endUser)
  return isOpaque ? endUser : hash('sha256', endUser, 'hex')
}
