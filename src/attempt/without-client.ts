import { Readable } from 'node:stream'

import type { Snapshot } from '../contract/candidate.ts'
import type { Call, ResolvedModel } from '../contract/call.ts'
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
interface OwnLookUp {
  /** The key that owns what is looked up. */
  readonly keyId: string
  readonly dialect: DialectInfo
}

/** What an exchange without a client is about. */
interface OwnExchange extends OwnLookUp {
  readonly operation: OperationInfo
  readonly call: Call
  readonly model: ResolvedModel
  /** See `Received.isDryRun`. Default: false. */
  readonly isDryRun?: boolean
}

/** Creates an exchange that no client has begun: an operator asks on behalf of the owner of a key. */
export function createOwnExchange(
  { keyId, dialect, operation, call, model, isDryRun = false }: OwnExchange,
  snapshot: Snapshot,
): Understood {
  const received = enterReceived(newRequestId(), noRequest(), createWaiting(), snapshot, isDryRun)
  const identified = enterIdentified(received, dialect, operation, {})
  const authenticated = enterAuthenticated(identified, { keyId, mayUse: () => true }, undefined)
  enterCall(authenticated, call)
  return enterUnderstood(authenticated, emptyBody, call, model)
}

/** Ends an exchange without a client. */
export function endOwnExchange({ progress }: Understood): void {
  for (const disposable of progress.disposables) disposable[Symbol.dispose]()
}

/**
 * Runs look-ups at accounts as an exchange of the key's owner does, but without a client: an operator
 * asks for them. They end with `work`.
 */
export async function lookUpWithoutClient<T>(
  about: OwnLookUp,
  snapshot: Snapshot,
  environment: AttemptEnvironment,
  work: (exchange: Understood, accountClient: AccountClient) => Promise<T>,
): Promise<T> {
  const subject = { operation: lookUp, call: aboutNoModel, model: noModel }
  const exchange = createOwnExchange({ ...about, ...subject }, snapshot)
  try {
    return await work(exchange, accountClientOf(exchange, environment))
  } finally {
    endOwnExchange(exchange)
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
