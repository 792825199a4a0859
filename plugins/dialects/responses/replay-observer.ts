import type { Observation } from '../../../src/contract/observer.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import type { ObservedEvent } from '../../../src/kit/observe.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
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
    if (!ends.has(stringAt(json, 'type') ?? name)) return { phase: json ? 'output' : 'start' }
    return { phase: 'terminal', outcome: storedOutcome(objectAt(json, 'response')) }
  }

  /** Who has had the last event and asks for what comes after it gets no event, and that is right. */
  override end(): Observation {
    if (this.hasOutput || !mayBeAtTheEnd(this.exchange.request)) return super.end()
    return { phase: 'terminal', outcome: { status: 'completed', fault: 'none' } }
  }
}

/** A response has two events at least, numbered from 0: after the first there is always another. */
function mayBeAtTheEnd({ query }: ClientRequest): boolean {
  const [after = '', ...others] = new URLSearchParams(query).getAll('starting_after')
  return others.length === 0 && /^\d+$/.test(after) && Number(after) > 0
}
