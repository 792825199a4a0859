import type { RequestBody } from '../../../src/body.ts'
import { defineOperation } from '../../../src/dialect.ts'
import type { Authenticated, Call } from '../../../src/exchange.ts'
import { approachVideo } from '../../../src/jobs/begin.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { pinTo } from '../../../src/jobs/owner.ts'
import { paidForward } from '../../../src/jobs/paid-forward.ts'
import type { VideoSource } from '../../../src/media/video.ts'
import { modelOfPath, verbPaths } from '../../../src/model-paths.ts'
import { part, text } from '../../../src/usage.ts'
import { modelSegment } from './codec.ts'
import { noOperation } from './errors.ts'
import { parseFileId, shortName } from './names.ts'
import type { OperationsParts } from './parts.ts'
import { checkRequest, instanceIn, readRequest } from './request.ts'
import { createSchema } from './schema.ts'
import { withStored } from './stored.ts'

export function createOperation(parts: OperationsParts) {
  /** What calls that are under way are made of. */
  const sources = new WeakMap<Call, Job>()

  /** A video that this gateway handed out is known to the account that made it, and to no other. */
  async function sourceOf({ caller }: Authenticated, body: RequestBody): Promise<Job | undefined> {
    const uri = text(part(instanceIn(body.json), 'video'), 'uri') ?? ''
    const file = /(?:^|\/)files\/([0-9a-z]+)/.exec(uri)?.[1]
    const named = file === undefined ? undefined : parseFileId(file)
    return named && parts.jobs.find(named.id, caller.keyId)
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
      const source = await sourceOf(exchange, body)
      const call: Call = {
        ...modelOfPath(exchange),
        stream: false,
        refersTo: [],
        edits: [],
        losses: [],
        // The account is paid for it, so that it goes on until it can be asked for.
        finishWithoutClient: true,
        ...(source && { pin: pinTo(source) }),
      }
      if (source) sources.set(call, source)
      return call
    },
    forward: paidForward(async (exchange, services, asking) => {
      const { body, call, candidate, caller } = exchange
      const json = await withStored(body.json, caller, parts.files)
      const { foreignSource, ...request } = readRequest({ json })
      const source = sources.get(call)
      return approachVideo(exchange, services, {
        ...parts,
        request: source || !foreignSource ? request : { ...request, foreignSource },
        native: {
          path: `/v1beta/models/${modelSegment(candidate.upstreamModel)}:predictLongRunning`,
          ...((source || json !== body.json) && {
            json: (made: VideoSource | undefined) => (made ? withSource(json, made) : json),
          }),
        },
        ...(source && { source: { job: source, asking, notFound: noOperation } }),
        answer: (job) => ({ json: { name: shortName(job) } }),
      })
    }),
  })
}

/** The request as it came, with the source as its account calls it. */
function withSource(json: RequestBody['json'], { sample }: VideoSource): RequestBody['json'] {
  const instance = instanceIn(json) ?? {}
  const { uri, base64 } = sample ?? {}
  const video = {
    ...part(instance, 'video'),
    ...(uri !== undefined && { uri }),
    ...(uri === undefined && { uri: undefined, encodedVideo: base64 }),
  }
  return { ...json, instances: [{ ...instance, video }] }
}
