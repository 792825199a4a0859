import { type Dialect, defineDialect } from '../../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../../src/contract/plugin.ts'
import { messagesDialect } from '../index.ts'
import { type BatchDependencies, batchOperations } from './operations.ts'
import { batchWork } from './state.ts'

/** Options of the plugin. */
interface MessageBatchesOptions extends Omit<BatchDependencies, 'now'> {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
}

/** Returns the plugin that serves `/v1/messages/batches`. */
export function messageBatches({
  now = Date.now,
  ...options
}: MessageBatchesOptions): GatewayPlugin {
  const { credential, credentialAs, requestIdHeader, rateHeaders, error, upstream } =
    messagesDialect()
  const { modelList: _modelList, ...accounts } = upstream!
  const dialect: Dialect = defineDialect({
    id: 'message-batches',
    title: 'Message Batches API',
    credential,
    ...(credentialAs && { credentialAs }),
    ...(requestIdHeader !== undefined && { requestIdHeader }),
    ...(rateHeaders && { rateHeaders }),
    error,
    upstream: accounts,
    background: batchWork,
    operations: batchOperations({ ...options, now }),
  })
  return definePlugin({ name: 'message-batches', dialects: [dialect] })
}
