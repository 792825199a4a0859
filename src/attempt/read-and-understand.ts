import { readRequest } from '../body/read-request.ts'
import { refuseUnknownPathModel } from '../body/refuse-model.ts'
import type { Authenticated, Understood } from '../contract/exchange.ts'
import type { ForwardOperation, PerformOperation } from '../contract/operation.ts'
import { understand } from '../exchange/understand.ts'
import type { createFileInliner } from '../file-references/index.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { nextTurn } from '../lib/turns.ts'

/** Lets plugins change a call. Rejects with `GatewayError`. */
type ChangeCall = (
  understood: Understood,
  operation: ForwardOperation | PerformOperation,
) => Promise<Understood>

/** What reads and changes bodies. */
interface UnderstandingOptions {
  readonly source: Parameters<typeof readRequest>[1]
  readonly inlineFiles: ReturnType<typeof createFileInliner>
  /** Absent: no plugin changes requests. */
  readonly change: ChangeCall | undefined
}

/** Reads the body of a call and checks it. Rejects with `GatewayError`. */
type ReadAndUnderstand = (
  authenticated: Authenticated,
  operation: ForwardOperation | PerformOperation,
) => Promise<Understood>

/** Creates the stage that makes a call of a request: its body, with the files that it names and what plugins change. */
export function createUnderstanding(options: UnderstandingOptions): ReadAndUnderstand {
  const { source, inlineFiles, change } = options
  return async (authenticated, operation) => {
    refuseUnknownPathModel(authenticated, operation)
    const body = await readRequest(authenticated, source)
    const understanding = understand(authenticated, operation, body)
    const checked = isThenable(understanding) ? await understanding : understanding
    // Each step looks through a large body, so each has a turn of the event loop.
    if (body.release) await nextTurn(authenticated.caller.keyId)
    // After `understand`, so that files are read only for a model that the caller may use.
    const inlined = inlineFiles(checked, body)
    const understood = isThenable(inlined)
      ? await understand(checked, operation, await inlined)
      : checked
    return change ? change(understood, operation) : understood
  }
}
