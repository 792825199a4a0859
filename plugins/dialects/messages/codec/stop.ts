import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** What each `stop_reason` means. */
const reasons = new Map<string, StopReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
  ['pause_turn', 'paused'],
  ['compaction', 'paused'],
  ['refusal', 'refused'],
  ['model_context_window_exceeded', 'context'],
])

const names: Readonly<Record<StopReason, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  filtered: 'refusal',
  refused: 'refusal',
  paused: 'pause_turn',
}

/** Some upstreams end with `end_turn` although the message has calls. */
export function readStop(raw: unknown, sequence: unknown, hasCalls: boolean): Stop {
  const told = typeof raw === 'string' ? reasons.get(raw) : undefined
  const ended = told ?? 'stop'
  return {
    reason: hasCalls === (ended === 'tool_calls') || cutShort(ended) ? ended : settled(hasCalls),
    ...(typeof raw === 'string' && { raw }),
    ...(typeof sequence === 'string' && { sequence }),
  }
}

function cutShort(reason: StopReason): boolean {
  return reason !== 'stop' && reason !== 'tool_calls'
}

function settled(hasCalls: boolean): StopReason {
  return hasCalls ? 'tool_calls' : 'stop'
}

/** What the message that is written contains besides text. */
export interface Written {
  readonly calls: boolean
  readonly refusal: boolean
}

export interface WrittenStop {
  readonly stop_reason: string
  readonly stop_sequence: string | null
  readonly stop_details: { type: 'refusal'; category: null; explanation: null } | null
}

export function writeStop({ reason, sequence }: Stop, { calls, refusal }: Written): WrittenStop {
  const ended = cutShort(reason) ? reason : refusal ? 'refused' : settled(calls)
  const ranInto = ended === 'stop' && sequence !== undefined
  const stopReason = ranInto ? 'stop_sequence' : names[ended]
  return {
    stop_reason: stopReason,
    stop_sequence: ranInto ? sequence : null,
    stop_details:
      stopReason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
  }
}

/** What a classifier says of a message that it did not let go on. */
export function readRefusal(message: unknown): string | undefined {
  if (stringAt(message, 'stop_reason') !== 'refusal') return undefined
  return stringAt(objectAt(message, 'stop_details'), 'explanation') || undefined
}
