import type { Call } from '../contract/call.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import type { Understood } from '../contract/exchange.ts'
import { emptyBody } from '../body/read-body.ts'
import { newRequestId } from '../exchange/receive.ts'
import {
  enterAuthenticated,
  enterCall,
  enterIdentified,
  enterReceived,
  enterUnderstood,
} from '../exchange/record.ts'
import { createWaitingClient } from '../exchange/waiting-client.ts'
import { noRequest } from '../kit/no-request.ts'

/** What an exchange that the gateway begins by itself is about. */
interface OwnExchange {
  readonly keyId: string
  readonly dialect: DialectInfo
  readonly operation: OperationInfo
  /** Aborts when the exchange is over. Default: never. */
  readonly signal?: AbortSignal
}

/** Creates an exchange without a client, a body and a model. */
export function createOwnExchange(
  { keyId, dialect, operation, signal }: OwnExchange,
  snapshot: Snapshot,
): Understood {
  const client = createWaitingClient(signal)
  const received = enterReceived(newRequestId(), noRequest(), client, snapshot)
  const identified = enterIdentified(received, dialect, operation, {})
  const authenticated = enterAuthenticated(identified, { keyId, mayUse: () => true }, undefined)
  enterCall(authenticated, aboutNoModel)
  return enterUnderstood(authenticated, emptyBody, aboutNoModel, noModel)
}

const aboutNoModel: Call = { model: '', stream: false, refersTo: [], edits: [], losses: [] }

const noModel = { requested: '', name: '' }
