import { errorIn, failedOutcome } from '../../../src/kit/upstream-error.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { UsageCount } from './codec/usage.ts'
import { statusOfType } from './errors.ts'

/** Reasons that cut a message short. */
const cut = new Set(['max_tokens', 'model_context_window_exceeded', 'pause_turn'])

/** What a complete message means; one without content may be an error in disguise. */
export function messageOutcome(json: unknown): Outcome {
  const error = Array.isArray(objectAt(json, 'content')) ? undefined : errorIn(json)
  if (error) return failed(error)
  return outcomeOf(
    stringAt(json, 'id'),
    stringAt(json, 'model'),
    stringAt(json, 'stop_reason'),
    usageOf(objectAt(json, 'usage')),
  )
}

/** What a token count means: it produces nothing and uses nothing. */
export function countOutcome(json: unknown): Outcome {
  const error = numberAt(json, 'input_tokens') === undefined ? errorIn(json) : undefined
  return error ? failed(error) : { status: 'completed', fault: 'none' }
}

function failed(error: Record<string, unknown>): Outcome {
  return failedOutcome(statusOfType.get(stringAt(error, 'type') ?? '') ?? 500, error)
}

export function outcomeOf(
  id: string | undefined,
  model: string | undefined,
  stopReason: string | undefined,
  usage: Usage,
): Outcome {
  return {
    status: cut.has(stopReason ?? '') ? 'incomplete' : 'completed',
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'message', id, model },
    usage,
  }
}

function usageOf(told: Record<string, unknown> | undefined): Usage {
  const usage = new UsageCount()
  usage.noteAll(told)
  return knownUsage(usage.total)
}
