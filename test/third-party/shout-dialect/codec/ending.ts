import { type Stop, type StopReason } from '../../../../src/dialect-kit/index.ts'

/** `end` of a reply, and of the `hush` of a stream. */
const ends: Readonly<Record<StopReason, string>> = {
  stop: 'done',
  paused: 'done',
  tool_calls: 'calls',
  length: 'limit',
  context: 'limit',
  filtered: 'muzzled',
  refused: 'refused',
}

const reasons = new Map<unknown, StopReason>([
  ['limit', 'length'],
  ['muzzled', 'filtered'],
  ['refused', 'refused'],
])

/** Why a voice fell silent. Calls say by themselves that it waits for helpers. */
export function decodeEnd(end: unknown, hasCalls: boolean): Stop {
  const reason = reasons.get(end) ?? (hasCalls ? 'tool_calls' : 'stop')
  return { reason, ...(typeof end === 'string' && { raw: end }) }
}

export function encodeEnd({ reason }: Stop): string {
  return ends[reason]
}
