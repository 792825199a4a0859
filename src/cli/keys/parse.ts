import { randomBytes } from 'node:crypto'

import { parseTime } from '../../audit/lines.ts'
import { keySchema } from '../../configuration/key-schema.ts'
import { errorsSchema, lossesSchema } from '../../configuration/schema-nodes.ts'
import type { NewKey } from '../../stores/keys.ts'
import { type Invocation, UsageError } from '../command.ts'
import { choiceOf, requireId, singleId } from '../operand.ts'

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
  return parseKeyId(invocation) ?? requireId(invocation, noun, command)
}

const hour = 3_600_000
const day = 24 * hour

/** `30d` in milliseconds; `undefined` for a text of another form. */
function durationOf(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, count, unit = ''] = /^(\d{1,7})([a-z])$/.exec(text) ?? []
  return count && Object.hasOwn(units, unit) ? Number(count) * units[unit]! : undefined
}

/**
 * Parses `--expires`: a duration from `now` such as `30d` (h, d, w, y), or an ISO 8601 time. Returns
 * milliseconds since 1970. Throws `UsageError`.
 */
export function parseExpiry(text: string, now: number): number {
  const duration = durationOf(text, { h: hour, d: day, w: 7 * day, y: 365 * day })
  const time = duration === undefined ? (parseTime(text) ?? Number.NaN) : now + duration
  if (Number.isNaN(new Date(time).getTime())) {
    throw new UsageError(
      `"${text}" is not a time for --expires: use 30d (h, d, w, y) or 2030-01-31T00:00:00Z.`,
    )
  }
  if (time > now) return time
  throw new UsageError(`--expires ${text} is in the past.`)
}

/** The settings of a new key. Throws `UsageError`. */
export function parseNewKey(invocation: Invocation): NewKey {
  const id = parseKeyId(invocation) ?? `key-${randomBytes(4).toString('hex')}`
  return { id, ...parseKeySettings(invocation) }
}

/** The settings that a command line names. Throws `UsageError`. */
export function parseKeySettings(invocation: Invocation): Omit<NewKey, 'id'> {
  const { models, team, labels, expires, explain } = invocation.options
  const losses = choiceOf(invocation, 'losses', lossesSchema.options)
  const errors = choiceOf(invocation, 'errors', errorsSchema.options)
  return {
    ...(models !== undefined && { models: parseModels(models) }),
    ...(team !== undefined && { team }),
    ...(labels !== undefined && { labels: parseLabels(labels) }),
    ...(expires !== undefined && { expiresAt: parseExpiry(expires, Date.now()) }),
    ...(explain !== undefined && { explain: true }),
    ...(losses && { losses }),
    ...(errors && { errors }),
  }
}

/** The members of a key that `--clear` ends, by the names of their options. */
const clearable = {
  models: 'models',
  team: 'team',
  labels: 'labels',
  expires: 'expiresAt',
  explain: 'explain',
  losses: 'losses',
  errors: 'errors',
} as const

/** What `--clear A,B` ends: null for each. Throws `UsageError`. */
export function clearedSettings(options: Invocation['options']): Record<string, null> {
  const { clear } = options
  if (clear === undefined) return {}
  const names = clear.split(',').map((name) => name.trim())
  return Object.fromEntries(
    names.map((name) => {
      if (!Object.hasOwn(clearable, name)) {
        throw new UsageError(`--clear takes ${Object.keys(clearable).join(', ')}, not "${name}".`)
      }
      if (options[name] !== undefined) throw new UsageError(`--${name} is set and cleared.`)
      return [clearable[name as keyof typeof clearable], null]
    }),
  )
}

function parseModels(text: string): string[] {
  const models = text.split(',').map((name) => name.trim())
  if (models.every((name) => name !== '')) return models
  throw new UsageError(`--models takes names and patterns separated by commas, not "${text}".`)
}

function parseLabels(text: string): Record<string, string> {
  const labels = text.split(',').map((label) => label.split('='))
  if (labels.every(({ length }) => length === 2)) return Object.fromEntries(labels)
  throw new UsageError(`--labels takes names and values, as in cost=42,app=chat, not "${text}".`)
}

/** 30 days: a former secret that works for ever would be a second key. */
const longestGraceMs = 30 * day

/** Parses `--grace`: a duration such as `1h` (s, m, h, d). Returns milliseconds. Throws `UsageError`. */
export function parseGrace(text: string): number {
  const grace = durationOf(text, { s: 1_000, m: 60_000, h: hour, d: day }) ?? Number.NaN
  if (grace <= longestGraceMs) return grace
  throw new UsageError(
    `"${text}" is not a duration for --grace: use 1h (s, m, h, d), at most 30 days.`,
  )
}
