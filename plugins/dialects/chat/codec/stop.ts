import type { Stop, StopReason } from '../../../../src/generate/result.ts'

/** What a reply has, as far as it matters for why it stopped. */
export interface Contents {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/** Words that say more than that the answer is there. Other providers' words stand beside ours. */
const cuts = new Map<string, StopReason>([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'context'],
  ['content_filter', 'filtered'],
  ['safety', 'filtered'],
])

/** Why an account's answer stopped. Some say `stop` or nothing although they wait for tools. */
export function readStop(raw: string | undefined, { hasCalls, hasRefusal }: Contents): Stop {
  const cut = raw === undefined ? undefined : cuts.get(raw)
  const reason = reasonOf(cut, hasCalls, hasRefusal)
  return { reason, ...(raw !== undefined && { raw }) }
}

function reasonOf(cut: StopReason | undefined, hasCalls: boolean, hasRefusal: boolean): StopReason {
  if (hasRefusal && (cut === undefined || cut === 'filtered')) return 'refused'
  return cut ?? (hasCalls ? 'tool_calls' : 'stop')
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

/** Providers' words for an answer that nobody cut off. */
const complete = new Set<string | undefined>(['stop', 'completed'])

/**
 * `finish_reason`. A refusal in the model's own words may be a complete answer: then clients read
 * `message.refusal` instead of throwing.
 */
export function finishReasonOf({ reason, raw }: Stop, hasRefusal: boolean): string {
  return reason === 'refused' && hasRefusal && complete.has(raw) ? 'stop' : finishReasons[reason]
}

/** What a client reads as the refusal of a model that refused without a word. */
export const wordlessRefusal = 'The model refused to answer.'
