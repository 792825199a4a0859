import { Readable } from 'node:stream'

import type { Snapshot } from '../contract/candidate.ts'
import type { Call } from '../contract/call.ts'
import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountClient } from '../contract/operation.ts'
import type { ClientConnection } from '../contract/request.ts'
import { emptyBody } from '../body/read-body.ts'
import { newRequestId } from '../exchange/receive.ts'
import {
  enterAuthenticated,
  enterCall,
  enterIdentified,
  enterReceived,
  enterUnderstood,
} from '../exchange/record.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { accountClientOf } from './account-client.ts'

/** Look-ups at accounts that no client requests. */
export interface OwnLookUp {
  /** The key that owns what is looked up. */
  readonly keyId: string
  readonly dialect: DialectInfo
}

/**
 * Runs look-ups at accounts as an exchange of the key's owner does, but without a client: an operator
 * asks for them. They end with `work`.
 */
export async function lookUpWithoutClient<T>(
  { keyId, dialect }: OwnLookUp,
  snapshot: Snapshot,
  environment: AttemptEnvironment,
  work: (exchange: Understood, accountClient: AccountClient) => Promise<T>,
): Promise<T> {
  const received = enterReceived(newRequestId(), noRequest(), createWaiting(), snapshot)
  const identified = enterIdentified(received, dialect, lookUp, {})
  const authenticated = enterAuthenticated(identified, { keyId, mayUse: () => true }, undefined)
  enterCall(authenticated, aboutNoModel)
  const exchange = enterUnderstood(authenticated, emptyBody, aboutNoModel, noModel)
  try {
    return await work(exchange, accountClientOf(exchange, environment))
  } finally {
    for (const disposable of exchange.progress.disposables) disposable[Symbol.dispose]()
  }
}

const lookUp: OperationInfo = {
  id: 'admin.look-up',
  method: 'GET',
  auth: 'key',
  body: 'none',
  capability: 'video-job',
}

const aboutNoModel: Call = { model: '', stream: false, refersTo: [], edits: [], losses: [] }

const noModel = { requested: '', name: '' }

function noRequest() {
  const stream = Readable.from([])
  return { method: 'GET', path: '', query: '', headers: {}, remoteAddress: '', stream }
}

/** A client that waits to the end. */
function createWaiting(): ClientConnection {
  const { signal } = new AbortController()
  return { gone: false, signal, onGone: () => () => {}, watch() {}, unwatch() {}, reset() {} }
}
