import type { Observation } from '../../../src/dialect.ts'
import type { ObservedEvent } from '../../../src/observe.ts'
import { part, text } from '../../../src/usage.ts'
import { ResponsesObserver } from './observer.ts'
import { storedOutcome } from './outcome.ts'

const ends = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/**
 * The events of a stored response, told once more and maybe from its middle on. What went wrong in
 * it went wrong before, and is told as it was; no other account has it. A replay that breaks says
 * nothing of how the response itself fares.
 */
export class ReplayObserver extends ResponsesObserver {
  protected override classify({ name, json }: ObservedEvent): Observation {
    if (!ends.has(text(json, 'type') ?? name)) return { phase: json ? 'output' : 'start' }
    return { phase: 'terminal', outcome: storedOutcome(part(json, 'response')) }
  }
}
