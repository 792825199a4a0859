import { type AccountClient, defineOperation } from '../../../src/contract/operation.ts'
import type { Understood } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { aboutJob } from '../../../src/jobs/job.ts'
import { videoContentOf } from '../../../src/jobs/content.ts'
import { refreshJob } from '../../../src/jobs/refresh-job.ts'
import { ownJob } from '../../../src/jobs/owner.ts'
import { contentUriOf, fileId, noFile, parseFileId, uriOf } from './names.ts'
import type { OperationsParts } from './parts.ts'
import { fileSchema } from './schema.ts'

/** Under `v1` are other files too, such as those that clients upload. */
const places = ['/{version:v1beta|v1alpha|v1beta1}/files/{file}', '/v1/files/{file~}']

export function downloadFile(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.download',
    method: 'GET',
    paths: places.map((place) => `${place}:download`),
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Download a video of an operation',
    replies: ['video/mp4'],
    understand: () => aboutJob,
    perform: (exchange, _send, accountClient) => download(exchange, parts, accountClient),
  })
}

/** What Google's SDKs call a file; its content with `alt=media`. */
export function getFile(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.file',
    method: 'GET',
    paths: places,
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Tell about a video of an operation, or download it with `alt=media`',
    schema: { reply: fileSchema },
    replies: ['application/json', 'video/mp4'],
    understand: () => aboutJob,
    perform: (exchange, _send, accountClient) =>
      new URLSearchParams(exchange.request.query).get('alt') === 'media'
        ? download(exchange, parts, accountClient)
        : describe(exchange, parts, accountClient),
  })
}

async function download(
  exchange: Understood,
  { jobs, now }: OperationsParts,
  accountClient: AccountClient,
): Promise<Reply> {
  const { index, job } = await find(exchange, jobs)
  const options = { jobs, now, accountClient, notFound: noFile }
  return videoContentOf(exchange, job, { index, variant: 'video' }, options)
}

async function describe(
  exchange: Understood,
  { jobs, now, publicUrl }: OperationsParts,
  accountClient: AccountClient,
): Promise<Reply> {
  const { index, job: known } = await find(exchange, jobs)
  const { job, stale } = await refreshJob(exchange, known, {
    jobs,
    now,
    accountClient,
    notFound: noFile,
  })
  const sample = job.samples?.[index]
  if (job.status === 'completed' && !sample) throw noFile()
  const id = fileId(job, index)
  const states = {
    completed: 'ACTIVE',
    failed: 'FAILED',
    queued: 'PROCESSING',
    in_progress: 'PROCESSING',
  }
  const file = {
    name: `files/${id}`,
    mimeType: sample?.mediaType ?? 'video/mp4',
    createTime: timeOf(job.completedAt ?? job.createdAt),
    expirationTime: timeOf(job.expiresAt),
    uri: uriOf(id, publicUrl),
    downloadUri: contentUriOf(id, publicUrl),
    state: states[job.status],
    source: 'GENERATED',
  }
  const headers = {
    'content-type': 'application/json',
    ...(stale && { 'x-dragoman-stale': 'true' }),
  }
  return { status: 200, headers, body: JSON.stringify(file) }
}

async function find(exchange: Understood, jobs: OperationsParts['jobs']) {
  const named = parseFileId(exchange.params['file'] ?? '')
  if (!named) throw noFile()
  return { ...named, job: await ownJob(exchange, jobs, named.id, noFile) }
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
