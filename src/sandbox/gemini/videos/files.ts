import { createHash } from 'node:crypto'
import type { JsonObject } from '../../json.ts'
import { Problem } from '../../problem.ts'
import { renderContent } from '../../content.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { encodeMp4 } from '../../media/mp4.ts'
import { expiryOf, consumeDownloadFailure, isExpired } from '../../video/video-job.ts'
import type { VideoFile } from '../../stored.ts'
import { gemini } from '../provider.ts'
import { findVideoFile, videoFileNotFound } from './store.ts'

const lifetimeSeconds = 2 * 24 * 60 * 60

/**
 * `GET /v1beta/files/{id}` and its `:download?alt=media`. For a file that is not on https, the
 * official client puts the whole address into the path: the text behind the last `files/` counts.
 */
export const videoFiles: Endpoint[] = [
  {
    provider: gemini,
    method: 'GET',
    path: /^(?<moved>\/download)?\/v1(?:beta1?|alpha)?\/files\/(?:.+\/files\/)?(?<id>[^/:]+):download$/,
    hasBody: false,
    answer: download,
  },
  {
    provider: gemini,
    method: 'GET',
    path: /^\/v1(?:beta1?|alpha)?\/files\/(?<id>[^/:]+)$/,
    hasBody: false,
    answer: describe,
  },
]

function download(call: Call): Reply {
  const { params, query, headers, directives } = call
  if (!query.get('alt')?.startsWith('media'))
    throw new Problem(400, 'Downloads are only supported with `alt=media`.')
  const file = find(call)
  if (consumeDownloadFailure(file.job))
    throw new Problem(
      400,
      `The File ${file.id} is not in an ACTIVE state and usage is not allowed.`,
      {
        type: 'FAILED_PRECONDITION',
      },
    )
  if (file.job.directives.moved && params['moved'] === undefined) return redirectDownload(file)
  const bytes = encodeMp4(file.scene, directives.big ?? file.job.directives.big)
  return renderContent({ bytes, type: 'video/mp4', name: `${file.id}.mp4` }, headers.range)
}

function redirectDownload({ id }: VideoFile): Reply {
  const location = `/download/v1beta/files/${id}:download?alt=media`
  return { content: Buffer.alloc(0), status: 302, headers: { location } }
}

function describe(call: Call): Reply {
  const file = find(call)
  const bytes = encodeMp4(file.scene, file.job.directives.big)
  return { json: renderFile(file, bytes, call.origin) }
}

function renderFile({ id, job }: VideoFile, bytes: Buffer, origin: string): JsonObject {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString()
  const finished = at(job.finishedAt ?? Date.now())
  const digest = createHash('sha256').update(bytes).digest('hex')
  const uri = `${origin}/v1beta/files/${id}`
  return {
    name: `files/${id}`,
    mimeType: 'video/mp4',
    sizeBytes: String(bytes.length),
    createTime: finished,
    updateTime: finished,
    expirationTime: at(expiryOf(job, lifetimeSeconds) ?? Date.now()),
    sha256Hash: Buffer.from(digest).toString('base64'),
    uri,
    downloadUri: `${uri}:download?alt=media`,
    state: 'ACTIVE',
    source: 'GENERATED',
  }
}

function find({ account, params }: Call): VideoFile {
  const file = findVideoFile(account, params['id'] ?? '')
  if (isExpired(file.job, lifetimeSeconds)) throw videoFileNotFound(file.id)
  return file
}
