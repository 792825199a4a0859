import { type AccountClient, defineOperation } from '../../../src/contract/operation.ts'
import type { Understood } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { aboutJob } from '../../../src/jobs/job.ts'
import { videoContentOf } from '../../../src/jobs/content.ts'
import { refreshJob } from '../../../src/jobs/refresh-job.ts'
import { ownJob } from '../../../src/jobs/owner.ts'
import { contentUriOf, fileId, noFile, parseFileId, uriOf } from './names.ts'
import type { OperationsDependencies } from './parts.ts'
import { fileSchema } from './schema.ts'

/** `v1` also serves other files, such as uploads. */
const filePaths = ['/{version:v1beta|v1alpha|v1beta1}/files/{file}', '/v1/files/{file~}']

/** Defines `GET .../files/{file}:download`. */
export function downloadFile(parts: OperationsDependencies) {
  return defineOperation({
    id: 'operations.download',
    method: 'GET',
    paths: filePaths.map((path) => `${path}:download`),
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Download a video of an operation',
    replies: ['video/mp4'],
    understand: () => aboutJob,
    perform: (exchange, _send, accountClient) => download(exchange, parts, accountClient),
  })
}

/** Defines `GET .../files/{file}`: the file's metadata, or its content with `alt=media`. */
export function getFile(parts: OperationsDependencies) {
  return defineOperation({
    id: 'operations.file',
    method: 'GET',
    paths: filePaths,
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Retrieve a video of an operation as a file object, or download it with `alt=media`',
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
  { jobs, now }: OperationsDependencies,
  accountClient: AccountClient,
): Promise<Reply> {
  const { index, job } = await findFile(exchange, jobs)
  const options = { jobs, now, accountClient, notFound: noFile }
  return videoContentOf(exchange, job, { index, variant: 'video' }, options)
}

async function describe(
  exchange: Understood,
  { jobs, now, publicUrl }: OperationsDependencies,
  accountClient: AccountClient,
): Promise<Reply> {
  const { index, job: stored } = await findFile(exchange, jobs)
  const { job, stale } = await refreshJob(exchange, stored, {
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
    uri: uriOf(id, publicUrl, exchange.request),
    downloadUri: contentUriOf(id, publicUrl, exchange.request),
    state: states[job.status],
    source: 'GENERATED',
  }
  const headers = {
    'content-type': 'application/json',
    ...(stale && { 'x-dragoman-stale': 'true' }),
  }
  return { status: 200, headers, body: JSON.stringify(file) }
}

async function findFile(exchange: Understood, jobs: OperationsDependencies['jobs']) {
  const reference = parseFileId(exchange.params['file'] ?? '')
  if (!reference) throw noFile()
  return { ...reference, job: await ownJob(exchange, jobs, reference.id, noFile) }
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
