import { GatewayError } from '../../../src/contract/errors.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { subtitlesUsage, transcriptionUsage } from './usage.ts'

/** The meaning of a whole transcription; `json` is `undefined` for a text. */
export function transcriptionOutcome(json: unknown): Outcome {
  const error = errorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  if (json !== undefined && stringAt(json, 'text') === undefined) return withoutText
  return { status: 'completed', fault: 'none', usage: transcriptionUsage(json) }
}

/** The meaning of a transcription as a text. Subtitles say when their last one ends. */
export function textOutcome(text: Buffer): Outcome {
  return { status: 'completed', fault: 'none', usage: subtitlesUsage(text) }
}

const withoutText: Outcome = {
  status: 'failed',
  fault: 'account',
  error: new GatewayError('upstream_invalid_reply', "The upstream's reply has no text."),
}
