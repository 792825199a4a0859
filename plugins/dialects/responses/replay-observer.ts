import type { Observation } from '../../../src/contract/observer.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import type { ObservedEvent } from '../../../src/kit/observe.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { ResponsesObserver } from './observer.ts'
import { endStatusIn, storedOutcome } from './outcome.ts'

/**
 * Observes the replayed events of a stored response, which may start in the middle. A failure that
 * the events report belongs to the original call, so the replay itself succeeds.
 */
export class ReplayObserver extends ResponsesObserver {
  protected override classify({ name, json }: ObservedEvent): Observation {
    const status = endStatusIn(stringAt(json, 'type') ?? name)
    if (!status) return { phase: json ? 'output' : 'start' }
    return { phase: 'terminal', outcome: storedOutcome(objectAt(json, 'response'), status) }
  }

  /** Errors in the replayed events belong to the original call, so they are not errors of this call. */
  protected override errorOf(): undefined {
    return undefined
  }

  /** A client that starts after the last event receives no event; that is a complete reply. */
  override end(): Observation {
    if (this.hasOutput || !mayStartAfterLastEvent(this.exchange.request)) return super.end()
    return { phase: 'terminal', outcome: { status: 'completed', fault: 'none' } }
  }
}

/** A response has at least two events, numbered from 0, so only a number above 0 can be the last. */
function mayStartAfterLastEvent({ query }: ClientRequest): boolean {
  const [after = '', ...others] = new URLSearchParams(query).getAll('starting_after')
  return others.length === 0 && /^\d+$/.test(after) && Number(after) > 0
}
