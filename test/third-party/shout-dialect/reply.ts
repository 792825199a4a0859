import type { Outcome, Usage } from '../../../src/index.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What a whole reply, or the event that ends a stream, tells. */
export function shoutOutcome(json: unknown): Outcome {
  const { id, voice, tally } = (json ?? {}) as Fields
  const usage = readTally(tally)
  return {
    status: 'completed',
    fault: 'none',
    ...(typeof id === 'string' && {
      produced: { kind: 'shout', id, model: typeof voice === 'string' ? voice : undefined },
    }),
    ...(usage && { usage }),
  }
}

function readTally(tally: unknown): Usage | undefined {
  const { heard, said } = (tally ?? {}) as Fields
  if (typeof heard !== 'number' || typeof said !== 'number') return undefined
  return { inputTokens: heard, outputTokens: said }
}
