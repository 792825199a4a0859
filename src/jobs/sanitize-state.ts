import { isObject } from '../lib/json/object.ts'
import type { Account } from '../contract/account.ts'
import { wholeSeconds } from '../lib/time.ts'
import { redactMessage, redactValue } from '../kit/secrets/redact.ts'
import {
  type VideoError,
  type VideoSample,
  type VideoState,
  type VideoStatus,
  mostVideos,
} from '../media/video.ts'
import { isMediaType } from '../storage/media-type.ts'

/** Limits in characters: accounts choose the texts, and every refresh reads them. */
const longestWord = 200

const longestText = 4_096

const longestUri = 8_192

const longestExtras = 16_384

/** Levels of objects and lists in the extras. */
const deepestExtras = 32

const mostReasons = 20

const longestReason = 1_024

/** A state of which no type is certain: codecs of plugins and stored records may contain any value. */
type AnyState = Readonly<Partial<Record<keyof VideoState, unknown>>>

type Cut = (text: string, length: number) => string

/**
 * The state of a job as it is stored: in the types of docs/wire/contract.md 7, of limited size, and
 * without the account's credential. This is the only place that does so, for every video dialect.
 * Values that cannot be brought to their types are left out.
 */
export function sanitizeState(state: AnyState, account: Account): VideoState {
  const redacted = (text: string, length: number) => redactMessage(text, account).slice(0, length)
  const { extras, ...rest } = limitState(state, redacted)
  return { ...rest, ...(extras && { extras: redactValue(extras, account) as typeof extras }) }
}

/** The state of a stored record, which a former version may have written. */
export function readStoredState(state: AnyState): VideoState {
  return limitState(state, (text, length) => text.slice(0, length))
}

function limitState(state: AnyState, cut: Cut): VideoState {
  const { progress, completedAt, expiresAt, seconds, size, error, samples, withheld } = state
  const status = statusOf(state.status)
  const extras = objectOf(state.extras)
  return {
    status,
    ...present('progress', percentOf(progress)),
    ...present('completedAt', wholeSeconds(completedAt)),
    ...present('expiresAt', wholeSeconds(expiresAt)),
    ...present('seconds', durationOf(seconds)),
    ...present('size', sizeOf(size)),
    ...((status === 'failed' || objectOf(error)) && { error: limitError(error, cut) }),
    ...(Array.isArray(samples) && { samples: limitSamples(samples) }),
    ...present('withheld', limitWithheld(withheld, cut)),
    ...(extras && isStorable(extras) && { extras }),
  }
}

const statuses: readonly unknown[] = ['queued', 'in_progress', 'completed', 'failed']

/** A status of another name ends nothing. */
function statusOf(value: unknown): VideoStatus {
  return statuses.includes(value) ? (value as VideoStatus) : 'in_progress'
}

function limitError(error: unknown, cut: Cut): VideoError {
  const { code, message, type } = objectOf(error) ?? {}
  const known = textOf(type)
  return {
    code: cut(textOf(code) ?? 'video_generation_failed', longestWord),
    message: cut(textOf(message) ?? 'The video has failed.', longestText),
    ...(known !== undefined && { type: cut(known, longestWord) }),
  }
}

function limitSamples(samples: readonly unknown[]): VideoSample[] {
  return samples.slice(0, mostVideos).map((sample) => limitSample(objectOf(sample) ?? {}))
}

/**
 * Inline videos are too large for the record and are fetched again. A URI is left out rather than cut.
 * Clients do not see it, so it may contain the account's address.
 */
function limitSample(sample: Readonly<Record<string, unknown>>): VideoSample {
  const [uri, base64, mediaType] = [sample['uri'], sample['base64'], sample['mediaType']].map(
    textOf,
  )
  return {
    ...(uri !== undefined && uri.length <= longestUri && { uri }),
    ...((base64 !== undefined || sample['inline'] === true) && { inline: true }),
    ...(mediaType !== undefined && isMediaType(mediaType) && { mediaType }),
  }
}

function limitWithheld(withheld: unknown, cut: Cut): VideoState['withheld'] {
  const found = objectOf(withheld)
  if (!found) return undefined
  const { count, reasons } = found
  const texts = Array.isArray(reasons) ? reasons.filter((one) => textOf(one) !== undefined) : []
  const limited = texts.slice(0, mostReasons).map((one: string) => cut(one, longestReason))
  return { count: countOf(count) ?? limited.length, reasons: limited }
}

function isStorable(extras: object): boolean {
  if (!isShallow(extras, deepestExtras)) return false
  const { length } = JSON.stringify(extras)
  return length > '{}'.length && length <= longestExtras
}

/** Whether a value has at most so many levels; deeper ones exhaust the stack of `JSON.stringify`. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}

function present<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>)
}

// The types of docs/wire/contract.md 7 for values that an account reports, or that a record contains. Each function returns
// `undefined` for a value that cannot be brought to its type.

/** A progress as whole percent, from 0 to 100. */
function percentOf(value: unknown): number | undefined {
  return typeof value === 'number' ? Math.min(Math.max(Math.round(value), 0), 100) : undefined
}

/** A number of things, from 0. */
function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** A duration in seconds as a text: `4`, `7.5`. */
function durationOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? text : undefined
}

/** A size in pixels as a text: `1280x720`. */
function sizeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{1,5}x\d{1,5}$/.test(value) ? value : undefined
}

/** A text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** An object that is no list. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined
}
