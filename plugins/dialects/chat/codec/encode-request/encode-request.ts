import type {
  AccountTraits,
  EncodedRequest,
  RecordLoss,
} from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { fitRequestToModel, systemRole } from '../../../shared/openai-models.ts'
import {
  type GenerateRequest,
  type OutputFormat,
  partsOf,
} from '../../../../../src/generate/request.ts'
import { encodeAccounting, encodeLimits } from './encode-settings.ts'
import { encodeMessages } from './encode-messages.ts'
import { mergeNeighbours } from './merge-neighbours.ts'
import { encodeTools } from './encode-tools.ts'
import { resolveStrict } from '../../../shared/openai-schema.ts'
import { schemaName } from '../../../../../src/generate/names.ts'

/**
 * OpenAI supports `max` in the Responses API only, and refuses it here
 * (github.com/BerriAI/litellm-docs/pull/1173, mnfst/modelparams.dev/pull/236).
 */
const maxEffort = 'xhigh'

/** Encodes a request for an account of the Chat Completions API. */
export function encodeRequest(
  original: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
  { outputLimitField, asksForUsage, lacks = [] }: AccountTraits = {
    outputLimitField: 'max_completion_tokens',
    asksForUsage: true,
  },
): EncodedRequest {
  const request = fitRequestToModel(original, upstreamModel, maxEffort, drop)
  const role = systemRole(upstreamModel)
  const messages = encodeMessages(request, role, drop)
  withJsonWord(messages, request.output, role)
  noteDetail(request, drop)
  return {
    path: '/v1/chat/completions',
    body: {
      model: upstreamModel,
      messages: lacks.includes('system_midway') ? mergeNeighbours(messages) : messages,
      ...encodeTools(request, drop),
      ...encodeAnswerForm(request, drop),
      ...encodeSampling(request),
      ...encodeLimits(request, outputLimitField, drop),
      ...encodeAccounting(request, upstreamModel, lacks, drop),
      ...(request.stream && { stream: true }),
      ...(request.stream && asksForUsage && { stream_options: { include_usage: true } }),
    },
  }
}

function encodeAnswerForm(request: GenerateRequest, drop: RecordLoss): JsonObject {
  return defined({
    response_format: encodeFormat(request, drop),
    verbosity: request.verbosity,
    reasoning_effort: request.reasoning?.effort,
  })
}

function encodeSampling({ sampling }: GenerateRequest): JsonObject {
  return defined({
    temperature: sampling.temperature,
    top_p: sampling.topP,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
  })
}

function noteDetail({ turns, fields }: GenerateRequest, drop: RecordLoss): void {
  const isOriginal = turns.some((turn) =>
    partsOf(turn).some((part) => part.type === 'image' && part.detail === 'original'),
  )
  if (isOriginal) {
    const reason = 'the Chat Completions API supports no more than `high`; `high` is sent'
    drop(fields.image_detail ?? 'detail', reason, 'use `high`')
  }
}

/** Encodes `response_format`; returns `undefined` for plain text. */
function encodeFormat(request: GenerateRequest, drop: RecordLoss): JsonObject | undefined {
  const { output } = request
  if (!output || output.kind === 'text') return undefined
  if (output.kind === 'json') return { type: 'json_object' }
  const { schema, name, description } = output
  return {
    type: 'json_schema',
    json_schema: {
      name: schemaName(name),
      ...(description !== undefined && { description }),
      schema,
      strict: resolveStrict(output, request, drop),
    },
  }
}

/** Prepends a message with the word JSON where none has it: accounts require it for `json_object`. */
function withJsonWord(
  messages: JsonObject[],
  output: OutputFormat | undefined,
  role: 'developer' | 'system',
): void {
  if (output?.kind !== 'json' || messages.some(mentionsJson)) return
  messages.unshift({ role, content: 'Answer with a JSON object.' })
}

function mentionsJson({ content }: JsonObject): boolean {
  return /json/i.test(typeof content === 'string' ? content : textsIn(content))
}

function textsIn(content: unknown): string {
  const parts = Array.isArray(content) ? (content as JsonObject[]) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(' ')
}
