import { type Asking, defineOperation } from '../../../src/dialect.ts'
import type { Reply, Understood } from '../../../src/exchange.ts'
import { contentOf } from '../../../src/jobs/content.ts'
import { look } from '../../../src/jobs/look.ts'
import { ownJob } from '../../../src/jobs/owner.ts'
import { noFile } from './errors.ts'
import { byId } from './look-up.ts'
import { fileId, parseFileId } from './names.ts'
import type { OperationsParts } from './parts.ts'
import { fileSchema } from './schema.ts'
import { uriBase } from './uris.ts'

const place = '/{version:v1beta|v1|v1alpha|v1beta1}/files/{file}'

export function downloadFile(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.download',
    method: 'GET',
    paths: [`${place}:download`],
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Download a video of an operation',
    understand: () => byId,
    perform: (exchange, _send, asking) => download(exchange, parts, asking),
  })
}

/** What Google's SDKs call a file; its content with `alt=media`. */
export function getFile(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.file',
    method: 'GET',
    paths: [place],
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Tell about a video of an operation, or download it with `alt=media`',
    schema: { reply: fileSchema },
    understand: () => byId,
    perform: (exchange, _send, asking) =>
      new URLSearchParams(exchange.request.query).get('alt') === 'media'
        ? download(exchange, parts, asking)
        : describe(exchange, parts, asking),
  })
}

async function download(
  exchange: Understood,
  { jobs, now }: OperationsParts,
  asking: Asking,
): Promise<Reply> {
  const { index, job } = await find(exchange, jobs)
  const options = { jobs, now, asking, notFound: noFile }
  return contentOf(exchange, job, { index, variant: 'video' }, options)
}

async function describe(
  exchange: Understood,
  { jobs, now, address }: OperationsParts,
  asking: Asking,
): Promise<Reply> {
  const { index, job: known } = await find(exchange, jobs)
  const { job } = await look(exchange, known, { jobs, now, asking, notFound: noFile })
  const sample = job.samples?.[index]
  if (job.status === 'completed' && !sample) throw noFile()
  const name = `files/${fileId(job, index)}`
  const uri = `${uriBase(exchange.request, address())}/v1beta/${name}`
  const states = {
    completed: 'ACTIVE',
    failed: 'FAILED',
    queued: 'PROCESSING',
    in_progress: 'PROCESSING',
  }
  const file = {
    name,
    mimeType: sample?.mediaType ?? 'video/mp4',
    createTime: timeOf(job.completedAt ?? job.createdAt),
    expirationTime: timeOf(job.expiresAt),
    uri,
    downloadUri: `${uri}:download?alt=media`,
    state: states[job.status],
    source: 'GENERATED',
  }
  const headers = { 'content-type': 'application/json' }
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
