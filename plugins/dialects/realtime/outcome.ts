import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { faultOfStatus, statusOfError } from '../../../src/kit/upstream-error.ts'
import { isAmount, knownUsage, plainTokens } from '../../../src/kit/usage.ts'
import { numberAt, objectAt, stringAt, tokensAt } from '../../../src/lib/json/read.ts'

const statuses = ['completed', 'incomplete', 'failed', 'cancelled'] as const

/** The outcome of a response, by its object in `response.done`, or of a transcription, by its usage. */
export function outcomeOf(response: unknown): Outcome {
  const heard = objectAt(response, 'transcription')
  if (heard) return { status: 'completed', fault: 'none', usage: usageOfTranscription(heard) }
  const status = statuses.find((one) => one === stringAt(response, 'status')) ?? 'completed'
  const details = objectAt(response, 'status_details')
  const reason = stringAt(details, 'reason')
  const usage = usageOf(response)
  const error = objectAt(details, 'error')
  const httpStatus = status === 'failed' && error ? statusOfError(error) : undefined
  return {
    status,
    fault: httpStatus === undefined ? 'none' : faultOfStatus(httpStatus),
    ...(usage && { usage }),
    ...(httpStatus !== undefined && { httpStatus }),
    finishReasons: [reason ?? status],
  }
}

/** Tokens, or seconds of audio. `undefined` for neither. */
function usageOfTranscription(usage: object): Usage | undefined {
  const { inputTokens, outputTokens } = plainTokens(usage)
  const seconds = numberAt(usage, 'seconds')
  if (inputTokens === undefined || outputTokens === undefined)
    return isAmount(seconds) ? { audioSeconds: Math.ceil(seconds) } : undefined
  const details = objectAt(usage, 'input_token_details')
  const audioInputTokens = tokensAt(details, 'audio_tokens') || undefined
  return knownUsage({ inputTokens, outputTokens, audioInputTokens })
}

/** `undefined` for a response that reports no tokens. */
function usageOf(response: unknown): Usage | undefined {
  const usage = objectAt(response, 'usage')
  const { inputTokens, outputTokens } = plainTokens(usage)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const input = objectAt(usage, 'input_token_details')
  const output = objectAt(usage, 'output_token_details')
  return knownUsage({
    inputTokens,
    outputTokens,
    cachedTokens: tokensAt(input, 'cached_tokens') || undefined,
    audioInputTokens: tokensAt(input, 'audio_tokens') || undefined,
    imageInputTokens: tokensAt(input, 'image_tokens') || undefined,
    audioOutputTokens: tokensAt(output, 'audio_tokens') || undefined,
  })
}
