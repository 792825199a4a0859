import { randomBytes } from 'node:crypto'

import { keySchema } from '../../configuration/key-schema.ts'
import { lossesSchema } from '../../configuration/schema-nodes.ts'
import type { LossPolicy } from '../../generate/unsupported.ts'
import type { NewKey } from '../../stores/keys.ts'
import { type Invocation, UsageError } from '../command.ts'
import { programName } from '../hints.ts'
import { singleId } from '../operand.ts'

const idSchema = keySchema.shape.id

/** The id of a key or an admin token, from the operand or `--id`. Throws `UsageError` if its form is invalid. */
export function parseKeyId(invocation: Invocation): string | undefined {
  const id = singleId(invocation)
  if (id === undefined || idSchema.safeParse(id).success) return id
  throw new UsageError(
    `"${id}" is not a valid id: use 1 to 128 letters, digits and ._:@-, beginning with a letter or digit.`,
  )
}

/** Like `parseKeyId`, but throws `UsageError` if the id is missing. */
export function requireKeyId(invocation: Invocation, command: string, noun = 'key'): string {
  const id = parseKeyId(invocation)
  if (id !== undefined) return id
  const program = programName()
  const [group] = command.split(' ')
  throw new UsageError(
    `Which ${noun}? \`${program} ${command} ID\`; \`${program} ${group} list\` shows them.`,
  )
}

const expiryUnits = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 }

/**
 * Parses `--expires`: a duration from `now` such as `30d` (h, d, w, y), or an ISO 8601 time. Returns
 * milliseconds since 1970. Throws `UsageError`.
 */
export function parseExpiry(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,4})([hdwy])$/.exec(text) ?? []
  const time =
    count && unit
      ? now + Number(count) * expiryUnits[unit as keyof typeof expiryUnits]
      : isoTime(text)
  if (Number.isNaN(time)) {
    throw new UsageError(
      `"${text}" is not a time for --expires: use 30d (h, d, w, y) or 2030-01-31T00:00:00Z.`,
    )
  }
  if (time > now) return time
  throw new UsageError(`--expires ${text} is in the past.`)
}

// A time without a zone would depend on the machine's zone.
function isoTime(text: string): number {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/
  return form.test(text) ? Date.parse(text) : Number.NaN
}

/** Parses `--losses`. Throws `UsageError`. */
function parseLosses(text: string): LossPolicy {
  const { success, data } = lossesSchema.safeParse(text)
  if (success) return data
  throw new UsageError(`--losses takes ${lossesSchema.options.join(', ')}, not "${text}".`)
}

/** The settings of a new key. Throws `UsageError`. */
export function parseNewKey(invocation: Invocation): NewKey {
  const { models, expires, explain, losses } = invocation.options
  return {
    id: parseKeyId(invocation) ?? `key-${randomBytes(4).toString('hex')}`,
    ...(models !== undefined && { models: parseModels(models) }),
    ...(expires !== undefined && { expiresAt: parseExpiry(expires, Date.now()) }),
    ...(explain !== undefined && { explain: true }),
    ...(losses !== undefined && { losses: parseLosses(losses) }),
  }
}

function parseModels(text: string): string[] {
  const models = text.split(',').map((name) => name.trim())
  if (models.every((name) => name !== '')) return models
  throw new UsageError(`--models takes names and patterns separated by commas, not "${text}".`)
}

const graceUnits = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** 30 days: a former secret that works for ever would be a second key. */
const longestGraceMs = 30 * graceUnits.d

/** Parses `--grace`: a duration such as `1h` (s, m, h, d). Returns milliseconds. Throws `UsageError`. */
export function parseGrace(text: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const grace =
    count && unit ? Number(count) * graceUnits[unit as keyof typeof graceUnits] : Number.NaN
  if (grace <= longestGraceMs) return grace
  throw new UsageError(
    `"${text}" is not a duration for --grace: use 1h (s, m, h, d), at most 30 days.`,
  )
}
