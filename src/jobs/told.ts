import type { Account } from '../accounts/account.ts'
import type { VideoError, VideoSample, VideoState } from '../media/video.ts'
import { isMediaType } from '../storage/media-type.ts'
import { redact, redactValue } from '../upstream/redact.ts'

/** Accounts may say anything, and every look reads it all. Characters. */
const longestWord = 200
const longestText = 4_096
const longestUri = 8_192
const longestExtras = 16_384
const mostReasons = 20
const longestReason = 1_024
/** As many as one digit of a file's name counts. */
const mostSamples = 36

/** What an account says of a job, as far as it is kept: bounded, and without the account's secret. */
export function keptOf(state: VideoState, account: Account): VideoState {
  const { error, samples, seconds, size, withheld, extras, ...rest } = state
  const cut = (text: string, length: number) => redact(text, account).slice(0, length)
  return {
    ...rest,
    ...(seconds !== undefined && { seconds: cut(seconds, longestWord) }),
    ...(size !== undefined && { size: cut(size, longestWord) }),
    ...(error && { error: cutError(error, cut) }),
    ...(samples && { samples: samples.slice(0, mostSamples).map(keptSample) }),
    ...(withheld && {
      withheld: {
        count: withheld.count,
        reasons: withheld.reasons.slice(0, mostReasons).map((one) => cut(one, longestReason)),
      },
    }),
    ...(extras && isKept(extras) && { extras: redactValue(extras, account) as typeof extras }),
  }
}

function cutError(
  { code, message, type }: VideoError,
  cut: (text: string, length: number) => string,
): VideoError {
  return {
    code: cut(code, longestWord),
    message: cut(message, longestText),
    ...(type !== undefined && { type: cut(type, longestWord) }),
  }
}

/**
 * Videos are too large to be kept beside the job; the account tells them again. A place that is cut
 * short is none. It is told to no client, so that the account's address may stand in it.
 */
function keptSample({ uri, base64, inline, mediaType }: VideoSample): VideoSample {
  return {
    ...(uri !== undefined && uri.length <= longestUri && { uri }),
    ...((base64 !== undefined || inline) && { inline: true }),
    ...(mediaType !== undefined && isMediaType(mediaType) && { mediaType }),
  }
}

function isKept(extras: object): boolean {
  const { length } = JSON.stringify(extras)
  return length > '{}'.length && length <= longestExtras
}
