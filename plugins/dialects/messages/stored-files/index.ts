import { defineDialect } from '../../../../src/contract/dialect.ts'
import type { ClientRequest } from '../../../../src/contract/request.ts'
import { type GatewayPlugin, definePlugin } from '../../../../src/contract/plugin.ts'
import { accountFilesOf } from '../../shared/stored-objects.ts'
import { messagesEndpoint } from '../endpoint.ts'
import { messageFileFamily } from './family.ts'
import { type FilesDependencies, fileOperations } from './operations.ts'

/** Options of the plugin. */
interface MessageFilesOptions extends Omit<FilesDependencies, 'now'> {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
}

/** Accounts that have files as a beta want to read so at each request. */
const beta = 'files-api-2025-04-14'

/** The client's betas with the one of files. */
function betasOf({ headers }: ClientRequest): string {
  const named = [headers['anthropic-beta'] ?? []].flat().join(',')
  const all = named.split(',').map((one) => one.trim())
  return [...new Set([...all, beta])].filter((one) => one !== '').join(',')
}

/** Returns the plugin that serves `/v1/files` for clients of Anthropic's API. */
export function messageFiles({ now = Date.now, ...options }: MessageFilesOptions): GatewayPlugin {
  const { upstream, ...endpoint } = messagesEndpoint()
  const dialect = defineDialect({
    id: 'message-files',
    title: 'Files API of Anthropic',
    ...endpoint,
    upstream: {
      ...upstream,
      headers: (account, request) => ({
        ...upstream.headers(account, request),
        'anthropic-beta': betasOf(request),
      }),
    },
    operations: fileOperations({ ...options, now }),
  })
  return definePlugin({
    name: 'message-files',
    dialects: [dialect],
    accountFiles: accountFilesOf(messageFileFamily, options.objects),
  })
}
