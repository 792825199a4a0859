import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import type { FileFields, Files } from '../../../src/contract/files.ts'
import type { Jobs } from '../../../src/jobs/jobs.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { videosCodec } from './codec.ts'
import { createVideo } from './create.ts'
import { deleteVideo, retrieveVideo, videoContent } from './jobs.ts'
import { listVideos } from './list.ts'
import { referenceField, referenceNames } from './reference.ts'
import { remixVideo } from './remix.ts'
import { notOffered } from '../../../src/kit/not-offered.ts'

/** Options of the videos plugin. */
interface VideosOptions {
  readonly jobs: Jobs
  /** Returns milliseconds since 1970. */
  readonly now?: () => number
  /** Uploads that requests may refer to. */
  readonly files?: Files
}

/** Images that accounts store. The operations read uploads themselves. */
const referenceIds: FileFields = {
  idPrefix: 'file-',
  idParts: { [referenceNames.id]: `${referenceField}.file_id` },
  contentMembers: new Set([referenceField]),
  find(node, key) {
    const name = key === referenceField ? stringAt(node, 'file_id') : undefined
    return name === undefined ? undefined : { member: 'file_id', name }
  },
}

/** Returns the plugin that serves `/v1/videos`: create, remix, retrieve, download, list, delete. */
export function videos({ now = Date.now, ...options }: VideosOptions): GatewayPlugin {
  const parts = { ...options, now }
  const dialect = defineDialect({
    id: 'videos',
    title: 'Videos API',
    ...openAiEndpoint,
    files: referenceIds,
    video: videosCodec,
    operations: [
      createVideo(parts),
      listVideos(parts),
      retrieveVideo(parts),
      deleteVideo(parts),
      remixVideo(parts),
      videoContent(parts),
      ...videosNotOffered,
    ],
  })
  return definePlugin({ name: 'videos', dialects: [dialect], onDispose: () => parts.jobs.close() })
}

/** Endpoints of newer OpenAI SDKs that the gateway does not support. */
const videosNotOffered = [
  notOffered('videos.edits', 'POST', '/v1/videos/edits'),
  notOffered('videos.extensions', 'POST', '/v1/videos/extensions'),
  notOffered('videos.characters.create', 'POST', '/v1/videos/characters'),
  notOffered('videos.characters.get', 'GET', '/v1/videos/characters/{id}'),
]
