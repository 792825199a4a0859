import { hash } from 'node:crypto'

import type { EncodedRequest, JsonObject } from '../../../../src/codec.ts'
import { GatewayError } from '../../../../src/errors.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeEffort, encodeFormat, withJsonWord } from './encode-output.ts'
import { encodeTools } from './encode-tools.ts'
import { tierOf } from './service-tier.ts'

/** What an account is asked in the words of chat completions. */
export function encodeRequest(request: GenerateRequest, upstreamModel: string): EncodedRequest {
  const messages = encodeMessages(request.turns)
  withJsonWord(messages, request.output)
  return {
    path: '/v1/chat/completions',
    body: {
      model: upstreamModel,
      messages,
      ...encodeTools(request),
      ...encodeAnswerForm(request),
      ...encodeSampling(request),
      ...encodeLimits(request),
      ...encodeAccounting(request),
      ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
    },
  }
}

/** The dialect takes no more. */
const mostLogprobs = 20

function encodeAnswerForm({ output, verbosity, reasoning, logprobs }: GenerateRequest): JsonObject {
  return defined({
    response_format: encodeFormat(output),
    verbosity,
    reasoning_effort: encodeEffort(reasoning),
    logprobs: logprobs && true,
    top_logprobs: logprobs && logprobs.top > 0 ? Math.min(logprobs.top, mostLogprobs) : undefined,
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

/** The dialect takes no more. */
const mostStops = 4

function encodeLimits(request: GenerateRequest): JsonObject {
  const { maxOutputTokens, stop = [], candidates, fields } = request
  if (maxOutputTokens === 0) throw refused('An answer must have room for one token at least.')
  if (stop.length > mostStops) {
    throw refused(`The accounts of this model take ${mostStops} stop sequences.`, fields.stop)
  }
  return defined({
    max_completion_tokens: maxOutputTokens,
    stop: stop.length > 0 ? stop : undefined,
    n: candidates,
  })
}

function refused(message: string, param?: string): GatewayError {
  return new GatewayError('invalid_value', message, param === undefined ? {} : { param })
}

function encodeAccounting(request: GenerateRequest): JsonObject {
  const { endUser, metadata, cacheKey, serviceTier, store } = request
  return defined({
    safety_identifier: endUser && shortened(endUser),
    metadata: store ? metadata : undefined,
    prompt_cache_key: cacheKey && shortened(cacheKey),
    service_tier: serviceTier && tierOf(serviceTier),
    store,
  })
}

/** Providers take identifiers of up to 64 characters. */
function shortened(identifier: string): string {
  return identifier.length <= 64 ? identifier : hash('sha256', identifier, 'hex')
}

function defined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
