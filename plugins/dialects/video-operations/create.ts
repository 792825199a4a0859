import type { RequestBody } from '../../../src/contract/body.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { planVideoCreation } from '../../../src/jobs/create-video.ts'
import { type Job, orderJob } from '../../../src/jobs/job.ts'
import { pinTo, recordSource } from '../../../src/jobs/owner.ts'
import type { VideoSource } from '../../../src/media/video.ts'
import { accountModelPath, modelOfPath, verbPaths } from '../shared/google-paths.ts'
import { contentUriOf, noFile, shortOperationName } from './names.ts'
import type { OperationsDependencies } from './parts.ts'
import { checkRequest, readVideoOperation } from './request.ts'
import { createSchema } from './schema.ts'
import { sourceIn, withSource } from './sources.ts'
import { withStored } from './stored.ts'

/** A video that an earlier job of this gateway created. */
interface SourceVideo {
  readonly job: Job
  readonly index: number
}

/** A call with the video that it continues. */
interface CreateCall extends Call {
  readonly source: SourceVideo | undefined
}

/** Defines `:predictLongRunning`. */
export function createOperation(parts: OperationsDependencies) {
  /** Returns the source video of a request; only the account that created it can serve the call. */
  async function sourceOf(
    { caller }: Authenticated,
    body: RequestBody,
  ): Promise<SourceVideo | undefined> {
    const reference = sourceIn(body.json)
    const job = reference && (await parts.jobs.find(reference.id, caller.keyId))
    return job && { job, index: reference.index }
  }

  return defineOperation<CreateCall>({
    id: 'operations.create',
    method: 'POST',
    paths: verbPaths('predictLongRunning'),
    auth: 'key',
    capability: 'video',
    summary: 'Create a video operation, which continues after the reply',
    schema: createSchema,
    modelOf: modelOfPath,
    async understand(exchange, body) {
      checkRequest(body.json)
      // Throws without a public URL, before a video is billed that no client could download.
      contentUriOf('', parts.publicUrl, exchange.request)
      const source = await sourceOf(exchange, body)
      if (source) recordSource(exchange, source.job, shortOperationName(source.job))
      return {
        ...orderJob,
        ...modelOfPath(exchange),
        ...(source && { pin: pinTo(source.job) }),
        source,
      }
    },
    least: { body: { instances: [{ prompt: 'Hello' }] } },
    forward: {
      billed: 'job',
      async plan(exchange, services, accountClient) {
        const { body, candidate } = exchange
        const { source } = exchange.call
        const json = await withStored(body.json, exchange, parts.files)
        const { foreignSource, ...request } = readVideoOperation({ json })
        return planVideoCreation(exchange, services, {
          ...parts,
          request: source || !foreignSource ? request : { ...request, foreignSource },
          native: {
            path: accountModelPath(candidate.upstreamModel, 'predictLongRunning'),
            ...((source || json !== body.json) && {
              json: (video: VideoSource | undefined) => (video ? withSource(json, video) : json),
            }),
          },
          ...(source && { source: { ...source, accountClient, notFound: noFile } }),
          answer: (job) => ({
            json: { name: shortOperationName(job) },
            id: shortOperationName(job),
          }),
        })
      },
    },
  })
}
