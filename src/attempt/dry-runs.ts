import type { Snapshot } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Identified, Received, Understood } from '../contract/exchange.ts'
import type { ForwardOperation, Operation } from '../contract/operation.ts'
import type { ErrorForm } from '../contract/request.ts'
import { type DryRequest, receiveDryRun } from '../exchange/dry-run.ts'
import { authenticateAs } from '../exchange/identify.ts'
import { MemoryPool } from '../exchange/memory-pool.ts'
import { UploadMemoryPool } from '../file-references/upload-memory.ts'
import { type About, aboutOf } from '../hooks/plugin-failures.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { explainRequest, type Explanation } from './explain.ts'

/** The stages of an exchange up to routing, and what they are about. */
interface DryRunParts {
  readonly environment: AttemptEnvironment
  /** The form of errors for callers without one of their own. */
  readonly errors: ErrorForm
  /** The snapshot of now. */
  readonly snapshot: () => Snapshot
  /** Finds the operation. Throws `GatewayError`. */
  readonly identify: (exchange: Received) => {
    readonly identified: Identified
    readonly operation: Operation
  }
  /** Reads and checks the body. Rejects with `GatewayError`. */
  readonly understand: (exchange: Authenticated, operation: ForwardOperation) => Promise<Understood>
  /** Called for defects that no hook has reported. */
  readonly report: (message: string, error: unknown, about: About) => void
}

/** The memory of all dry runs together, in bytes. */
const mostBytes = 64 * 1024 * 1024

/** Dry runs at the same time. */
const concurrency = 2

/**
 * Creates what explains requests: dry runs through the stages of an exchange, up to the request to an
 * account. They have a budget of their own, and take nothing from the keys that they are about.
 */
export function createDryRuns({
  environment,
  errors,
  snapshot,
  identify,
  understand,
  report,
}: DryRunParts): (request: DryRequest) => Promise<Explanation> {
  const { hooks, limits } = environment
  const budgets = {
    memory: new UploadMemoryPool(Math.min(limits.inlineBytes, mostBytes)),
    budget: new MemoryPool({ ...limits, memoryBytes: mostBytes }),
  }
  const slots = createSemaphore(concurrency)
  const dry = dryEnvironment(environment)

  return async (request) => {
    using _slot = await slots.take(request.signal)
    const exchange = receiveDryRun(request, snapshot(), errors)
    const { progress } = exchange
    Object.assign(progress, budgets)
    const understood = async () => {
      const { identified, operation } = identify(exchange)
      if (!('forward' in operation)) throw choosesNoAccount(operation)
      const authenticated = authenticateAs(identified, request.caller)
      return { exchange: await understand(authenticated, operation), operation }
    }
    const onDefect = (error: unknown) => {
      if (hooks.hasReported(exchange, error)) return
      report('a dry run failed', error, aboutOf(exchange))
    }
    try {
      const explaining = explainRequest(exchange, understood, dry, onDefect)
      // A hook that never ends must not hold the slot.
      return await untilAborted(explaining, request.signal)
    } finally {
      for (const disposable of progress.disposables) disposable[Symbol.dispose]()
    }
  }
}

function choosesNoAccount({ id }: Operation): GatewayError {
  const message = `The operation \`${id}\` chooses no account.`
  return new GatewayError('invalid_request', message)
}

/**
 * The environment of dry runs: it sends nothing and stores nothing, and no hook learns of an attempt or
 * an outcome.
 */
function dryEnvironment(environment: AttemptEnvironment): AttemptEnvironment {
  const { hooks, translation } = environment
  const silent = { attempt: undefined, outcome: undefined, produced: undefined, refusal: undefined }
  return {
    ...environment,
    client: { send: refuse, tryCredential: refuse, retain() {}, close: async () => {} },
    hooks: { ...hooks, ...silent },
    translation: {
      ...translation,
      ...translation.unsent,
      remote: { check: (url) => translation.remote.check(url), send: refuse },
      signatures: { ...translation.signatures, keep: async () => {} },
    },
  }
}

/** A defect of the dry run, which plans requests and sends none. */
function refuse(): never {
  throw new Error('A dry run sends nothing.')
}
