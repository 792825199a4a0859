import { defineDialect } from '../../../src/contract/dialect.ts'
import { googleEndpoint } from '../shared/google-endpoint.ts'
import type { Files } from '../../../src/contract/files.ts'
import type { Jobs } from '../../../src/jobs/jobs.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { type PublicUrl, createPublicUrl } from '../../../src/kit/public-url.ts'
import { operationsCodec } from './codec.ts'
import { createOperation } from './create.ts'
import { downloadFile, getFile } from './files.ts'
import { fetchOperation, getOperation } from './look-up.ts'
import { videoOperationsId } from './names.ts'

/** Options of the video operations plugin. */
interface VideoOperationsOptions {
  readonly jobs: Jobs
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
  /** Uploads that requests may refer to. */
  readonly files?: Files
  /** Base of the videos' URIs. Absent: calls fail, because clients could not download a video. */
  readonly publicUrl?: PublicUrl
}

/** Returns the plugin that serves `:predictLongRunning`, its operations and their files. */
export function videoOperations(options: VideoOperationsOptions): GatewayPlugin {
  const { now = Date.now, publicUrl = createPublicUrl() } = options
  const parts = { ...options, now, publicUrl }
  const dialect = defineDialect({
    id: videoOperationsId,
    title: 'video operations of the Gemini API',
    ...googleEndpoint,
    video: operationsCodec,
    operations: [
      createOperation(parts),
      getOperation(parts),
      fetchOperation(parts),
      downloadFile(parts),
      getFile(parts),
    ],
  })
  return definePlugin({ name: 'video-operations', dialects: [dialect] })
}
