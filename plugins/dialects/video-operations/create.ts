import type { RequestBody } from '../../../src/contract/body.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { planVideoCreation } from '../../../src/jobs/create-video.ts'
import { type Job, orderJob } from '../../../src/jobs/job.ts'
import { pinTo, recordSource } from '../../../src/jobs/owner.ts'
import type { VideoSource } from '../../../src/media/video.ts'
import { modelOfPath, verbPaths } from '../shared/google-paths.ts'
import { modelSegment } from './codec.ts'
import { contentUriOf, noFile, shortOperationName } from './names.ts'
import type { OperationsParts } from './parts.ts'
import { checkRequest, readVideoOperation } from './request.ts'
import { createSchema } from './schema.ts'
import { sourceIn, withSource } from './sources.ts'
import { withStored } from './stored.ts'

/** A video that this gateway has handed out. */
interface Made {
  readonly job: Job
  readonly index: number
}

export function createOperation(parts: OperationsParts) {
  /** What calls that are under way are made of. */
  const sources = new WeakMap<Call, Made>()

  /** A video that this gateway handed out is known to the account that made it, and to no other. */
  async function sourceOf({ caller }: Authenticated, body: RequestBody): Promise<Made | undefined> {
    const named = sourceIn(body.json)
    const job = named && (await parts.jobs.find(named.id, caller.keyId))
    return job && { job, index: named.index }
  }

  return defineOperation({
    id: 'operations.create',
    method: 'POST',
    paths: verbPaths('predictLongRunning'),
    auth: 'key',
    capability: 'video',
    summary: 'Create a video: an operation that goes on after the answer',
    schema: createSchema,
    async understand(exchange, body) {
      checkRequest(body.json)
      // Nobody is paid for a video that could not be handed out.
      contentUriOf('', parts.publicUrl)
      const source = await sourceOf(exchange, body)
      const call: Call = {
        ...orderJob,
        ...modelOfPath(exchange),
        ...(source && { pin: pinTo(source.job) }),
      }
      if (source) {
        recordSource(exchange, source.job, shortOperationName(source.job))
        sources.set(call, source)
      }
      return call
    },
    forward: {
      billed: 'job',
      async plan(exchange, services, accountClient) {
        const { body, call, candidate } = exchange
        const json = await withStored(body.json, exchange, parts.files)
        const { foreignSource, ...request } = readVideoOperation({ json })
        const source = sources.get(call)
        return planVideoCreation(exchange, services, {
          ...parts,
          request: source || !foreignSource ? request : { ...request, foreignSource },
          native: {
            path: `/v1beta/models/${modelSegment(candidate.upstreamModel)}:predictLongRunning`,
            ...((source || json !== body.json) && {
              json: (made: VideoSource | undefined) => (made ? withSource(json, made) : json),
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
