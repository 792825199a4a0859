import { rotateKey } from '../../stores/keys.ts'
import { actOnStore } from '../audit/act.ts'
import { type Invocation, UsageError } from '../command.ts'
import { showIssued } from './describe.ts'
import { assertChangeable, readForKeys, requireKeyId } from './key-store.ts'

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** 30 days: a former secret that works for ever would be a second key. */
const longestGraceMs = 30 * units.d

/** Parses `--grace`: a duration such as `1h` (s, m, h, d). Returns milliseconds. Throws `UsageError`. */
export function parseGrace(text: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const grace = count && unit ? Number(count) * units[unit as keyof typeof units] : Number.NaN
  if (grace <= longestGraceMs) return grace
  throw new UsageError(
    `"${text}" is not a duration for --grace: use 1h (s, m, h, d), at most 30 days.`,
  )
}

/** `dragoman keys rotate ID`: prints the new secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  const id = requireKeyId(invocation, 'keys rotate')
  const { grace } = invocation.options
  const graceMs = grace === undefined ? 0 : parseGrace(grace)
  const configuration = await readForKeys(invocation)
  assertChangeable(configuration, id)
  const after = { secret: 'changed', graceSeconds: graceMs / 1_000 }
  const act = { action: 'key.rotate', target: { type: 'key', id }, after }
  const issued = await actOnStore(configuration, act, (store) => rotateKey(store, id, { graceMs }))
  showIssued(issued, invocation, 'rotated')
  return 0
}
