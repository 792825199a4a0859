import { randomBytes } from 'node:crypto'

import { lossesSchema } from '../../configuration/schema.ts'
import type { LossPolicy } from '../../generate/unsupported.ts'
import { type NewKey, createKey } from '../../stores/keys.ts'
import { type Invocation, UsageError } from '../command.ts'
import { actOnStore, commandCreator } from '../audit/act.ts'
import { showIssued } from './describe.ts'
import { assertChangeable, parseKeyId, readForKeys } from './key-store.ts'

const units = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 }

/**
 * Parses `--expires`: a duration from `now` such as `30d` (h, d, w, y), or an ISO 8601 time. Returns
 * milliseconds since 1970. Throws `UsageError`.
 */
export function parseExpiry(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,4})([hdwy])$/.exec(text) ?? []
  const time =
    count && unit ? now + Number(count) * units[unit as keyof typeof units] : isoTime(text)
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
export function parseLosses(text: string): LossPolicy {
  const { success, data } = lossesSchema.safeParse(text)
  if (success) return data
  throw new UsageError(`--losses takes ${lossesSchema.options.join(', ')}, not "${text}".`)
}

/** `dragoman keys create`: prints the secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  const key = parseNewKey(invocation)
  const configuration = await readForKeys(invocation)
  assertChangeable(configuration, key.id)
  const { id, ...after } = key
  const act = { action: 'key.create', target: { type: 'key', id }, after }
  const issued = await actOnStore(configuration, act, (store) =>
    createKey(store, { ...key, createdBy: commandCreator() }),
  )
  showIssued(issued, invocation, 'issued')
  return 0
}

function parseNewKey(invocation: Invocation): NewKey {
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
