import type { Snapshot } from '../contract/candidate.ts'
import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountClient } from '../contract/operation.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { createOwnExchange } from '../upstream/own-exchange.ts'
import { accountClientOf } from './account-client.ts'

/** Look-ups at accounts that no client requests. */
interface OwnLookUp {
  /** The key that owns what is looked up. */
  readonly keyId: string
  /** The id of one of `dialects`. */
  readonly dialect: string
  readonly dialects: readonly DialectInfo[]
}

/**
 * Runs look-ups at accounts as an exchange of the key's owner does, but without a client: an operator
 * asks for them. They end with `work`. Rejects as `work` does, and with `GatewayError` if there is no such
 * dialect.
 */
export async function lookUpWithoutClient<T>(
  about: OwnLookUp,
  snapshot: Snapshot,
  environment: AttemptEnvironment,
  work: (exchange: Understood, accountClient: AccountClient) => Promise<T>,
): Promise<T> {
  const { keyId, dialect: id, dialects } = about
  // Accounts may have jobs of a dialect without clients: any other with such jobs asks for them.
  const dialect = dialects.find((one) => one.id === id) ?? dialects.find(({ video }) => video)
  if (!dialect) throw new GatewayError('owner_unavailable', `No plugin has the dialect \`${id}\`.`)
  const exchange = createOwnExchange({ keyId, dialect, operation: lookUp }, snapshot)
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
