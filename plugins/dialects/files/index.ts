import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { accountFilesOf } from '../shared/stored-objects.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { batchWork } from './batch-state.ts'
import { batchOperations } from './batches.ts'
import { createBatch } from './create-batch.ts'
import { createFile } from './create-file.ts'
import { type FilesDependencies, fileFamily } from './families.ts'
import { fileOperations } from './files.ts'
import { uploadOperations } from './uploads.ts'

/** Options of the files plugin. */
interface FilesOptions extends Omit<FilesDependencies, 'now'> {
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
}

/** Returns the plugin that serves `/v1/files`, `/v1/uploads` and `/v1/batches`. */
export function files({ now = Date.now, ...options }: FilesOptions): GatewayPlugin {
  const parts = { ...options, now }
  const dialect = defineDialect({
    id: 'files',
    title: 'Files and Batch API',
    ...openAiEndpoint,
    background: batchWork,
    operations: [
      createFile(parts),
      ...fileOperations(parts),
      createBatch(parts),
      ...batchOperations(parts),
      ...uploadOperations(parts),
    ],
  })
  return definePlugin({
    name: 'files',
    dialects: [dialect],
    accountFiles: accountFilesOf(fileFamily, parts.objects),
    onDispose: () => parts.objects.close(),
  })
}
