import { type Dialect, defineDialect } from '../../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../../src/contract/plugin.ts'
import { notOffered } from '../../../../src/kit/not-offered.ts'
import { messagesDialect } from '../index.ts'
import { type BatchDependencies, batchOperations } from './operations.ts'
import { batchWork } from './state.ts'

/** Options of the plugin. */
interface MessageBatchesOptions extends Omit<BatchDependencies, 'now'> {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
}

/** Anthropic's files have the paths of OpenAI's, which must not answer Anthropic's clients in their own words. */
const filesNotOffered = [
  notOffered('messages.files.create', 'POST', '/v1/files'),
  notOffered('messages.files.list', 'GET', '/v1/files'),
]

/** Returns the plugin that serves `/v1/messages/batches`. */
export function messageBatches({
  now = Date.now,
  ...options
}: MessageBatchesOptions): GatewayPlugin {
  const { claims, credential, credentialAs, requestIdHeader, rateHeaders, error, upstream } =
    messagesDialect()
  const { modelList: _modelList, ...accounts } = upstream!
  const dialect: Dialect = defineDialect({
    id: 'message-batches',
    title: 'Message Batches API',
    ...(claims && { claims }),
    credential,
    ...(credentialAs && { credentialAs }),
    ...(requestIdHeader !== undefined && { requestIdHeader }),
    ...(rateHeaders && { rateHeaders }),
    error,
    upstream: accounts,
    background: batchWork,
    operations: [...batchOperations({ ...options, now }), ...filesNotOffered],
  })
  return definePlugin({ name: 'message-batches', dialects: [dialect] })
}
