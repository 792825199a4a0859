import type {
  AccountTraits,
  RecordLoss,
  EncodedRequest,
} from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { fitRequestToModel, systemRole } from '../../../shared/openai-models.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { encodeAccounting, encodeLimits } from './encode-settings.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeFormat, withJsonWord } from './encode-output.ts'
import { encodeTools } from './encode-tools.ts'

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
  { outputLimitField, asksForUsage }: AccountTraits = {
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
      messages,
      ...encodeTools(request, drop),
      ...encodeAnswerForm(request, drop),
      ...encodeSampling(request),
      ...encodeLimits(request, outputLimitField, drop),
      ...encodeAccounting(request, upstreamModel, drop),
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
  const isOriginal = turns.some((turn) => {
    const parts =
      turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
    return parts.some((part) => part.type === 'image' && part.detail === 'original')
  })
  if (isOriginal) {
    const reason = 'the Chat Completions API supports no more than `high`; `high` is sent'
    drop(fields.image_detail ?? 'detail', reason, 'use `high`')
  }
}
