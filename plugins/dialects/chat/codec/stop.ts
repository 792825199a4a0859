import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { incompleteEnd } from './decode-reply/failure.ts'

/** The parts of a reply that decide its stop reason. */
interface Contents {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/**
 * Returns the neutral stop reason for a `finish_reason`. Some accounts send `stop` or nothing although
 * the reply has tool calls.
 */
export function readStop(raw: string | undefined, { hasCalls, hasRefusal }: Contents): Stop {
  const incomplete = raw === undefined ? undefined : incompleteEnd(raw)
  const reason = reasonOf(incomplete, hasCalls, hasRefusal)
  return { reason, ...(raw !== undefined && { raw }) }
}

function reasonOf(
  incomplete: StopReason | undefined,
  hasCalls: boolean,
  hasRefusal: boolean,
): StopReason {
  if (hasRefusal && (incomplete === undefined || incomplete === 'filtered')) return 'refused'
  return incomplete ?? (hasCalls ? 'tool_calls' : 'stop')
}

const finishReasons: Readonly<Record<StopReason, string>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  context: 'length',
  filtered: 'content_filter',
  refused: 'content_filter',
  paused: 'stop',
}

/** Providers' finish reasons for complete answers. */
const complete = new Set<string | undefined>(['stop', 'completed'])

/**
 * Returns the `finish_reason` for a client. A refusal with a text may be a complete answer: its reason is
 * `stop`, so that clients read `message.refusal` and do not throw.
 */
export function finishReasonOf({ reason, raw }: Stop, hasRefusal: boolean): string {
  return reason === 'refused' && hasRefusal && complete.has(raw) ? 'stop' : finishReasons[reason]
}

/** The refusal text for a client where the model refused without a text. */
export const defaultRefusal = 'The model refused to answer.'
