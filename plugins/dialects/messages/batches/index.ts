import { type Dialect, defineDialect } from '../../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../../src/contract/plugin.ts'
import { messagesEndpoint } from '../endpoint.ts'
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
  const dialect: Dialect = defineDialect({
    id: 'message-batches',
    title: 'Message Batches API',
    ...messagesEndpoint(),
    background: batchWork,
    operations: batchOperations({ ...options, now }),
  })
  return definePlugin({ name: 'message-batches', dialects: [dialect] })
}
