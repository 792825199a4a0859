import { hash } from 'node:crypto'

import type { EncodedRequest, RecordLoss } from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest, Sampling } from '../../../../../src/generate/request.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { isThinking, messagesBlocks } from '../encode-answer.ts'
import { encodeParts, encodeText, keepLastMarks, marked } from '../encode-media.ts'
import { encodeOutput } from '../../../shared/blocks/encode-output.ts'
import {
  type EncodedThinking,
  encodeThinking,
  samplingOf,
} from '../../../shared/blocks/encode-thinking.ts'
import {
  type ChosenTools,
  type ReadyTool,
  chooseTools,
  isForced,
  pastTools,
} from '../../../shared/blocks/choose-tools.ts'
import {
  type Message,
  encodeTurns,
  fixLastMessage,
  mayPrefill,
} from '../../../shared/blocks/encode-turns.ts'
import { type ModelFacts, modelFacts } from '../../../shared/blocks/models.ts'

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
  const messages = encodeTurns(request, messagesBlocks, drop)
  const usesPrefill = mayPrefill(request, messages, facts, drop)
  const tools = encodeTools(request, facts, drop)
  const output = encodeOutput(request, facts, usesPrefill, drop)
  const thinking = encodeThinking(request, facts, drop, (mode) => {
    if (usesPrefill) return 'the model does not think when it continues a prefilled answer'
    if (tools.forced) return 'the model does not think when it is forced to call a tool'
    const isLate = mode === 'budget' && continuesWithoutThinking(messages)
    return isLate ? 'the answer that continues began without thinking' : undefined
  })
  fixLastMessage(request, messages, { blocks: messagesBlocks, usesPrefill, drop })
  const system = encodeSystem(request, [tools.instruction, output.instruction])
  keepLastMarks([tools.members.tools ?? [], system, ...messages.map(({ content }) => content)])
  return {
    path: '/v1/messages',
    body: {
      model: upstreamModel,
      max_tokens: thinking.maxTokens,
      ...(system.length > 0 && { system }),
      messages,
      ...tools.members,
      ...(thinking.thinking && { thinking: thinking.thinking }),
      ...encodeConfig(thinking, output.format),
      ...encodeSampling(samplingOf(request, facts, thinking, { api: messagesBlocks.api, drop })),
      ...encodeStops(request, drop),
      ...encodeAccounting(request, drop),
      ...(request.stream && { stream: true }),
    },
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

function encodeSystem(
  { turns }: GenerateRequest,
  instructions: readonly (string | undefined)[],
): JsonObject[] {
  const parts = turns.flatMap((turn) => (turn.role === 'system' ? turn.content : []))
  const added = instructions.flatMap((text) => encodeText(text ?? ''))
  return [...encodeParts(parts), ...added]
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

function encodeSampling({ temperature, topP, topK }: Sampling): JsonObject {
  return defined({ temperature, top_p: topP, top_k: topK })
}

/** The encoded tools. */
interface EncodedTools {
  /** The members of the request body. */
  readonly members: JsonObject & { readonly tools?: JsonObject[] }
  /** Whether the account forces the model to call a tool. */
  readonly forced: boolean
  /** An instruction to call a tool, for a model that cannot be forced. */
  readonly instruction?: string | undefined
}

/** Encodes the tools and the tool choice. Accounts accept a choice only together with tools. */
function encodeTools(request: GenerateRequest, facts: ModelFacts, drop: RecordLoss): EncodedTools {
  const { tools, choice, instruction } = chooseTools(request, facts, drop)
  if (tools.length === 0) return { members: encodePastTools(request), forced: false }
  const isSequential = request.parallelToolCalls === false && choice !== 'none'
  const hasChoice = request.toolChoice !== undefined || isSequential
  return {
    members: {
      tools: tools.flatMap(encodeTool),
      ...(hasChoice && {
        tool_choice: {
          ...encodeChoice(choice, tools),
          ...(isSequential && { disable_parallel_tool_use: true }),
        },
      }),
    },
    forced: isForced(choice),
    instruction,
  }
}

function encodeTool({ name, description, schema, strict, cache }: ReadyTool): JsonObject[] {
  return marked([defined({ name, description, input_schema: schema, strict })], cache)
}

function encodeChoice(choice: ChosenTools['choice'], [first]: readonly ReadyTool[]): JsonObject {
  return choice === 'tool' ? { type: choice, name: first?.name } : { type: choice }
}

/** Declares the tools of earlier calls. The choice `none` prevents the model from calling them. */
function encodePastTools(request: GenerateRequest): EncodedTools['members'] {
  const tools = pastTools(request)
  return tools.length === 0
    ? {}
    : { tools: tools.flatMap(encodeTool), tool_choice: { type: 'none' } }
}
