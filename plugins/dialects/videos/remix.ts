import { GatewayError } from '../../../src/contract/errors.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { fillPath } from '../../../src/kit/account-path.ts'
import { removeField } from '../../../src/body/edits.ts'
import { planVideoCreation } from '../../../src/jobs/create-video.ts'
import { type Job, orderJob } from '../../../src/jobs/job.ts'
import { ownJob, pinTo, recordSource } from '../../../src/jobs/owner.ts'
import type { VideoRequest } from '../../../src/media/video.ts'
import { createReply, modelIn, promptIn } from './create.ts'
import { jobId, noVideo, shownId } from './reply.ts'
import { type VideoFields, videoFieldsOf } from './fields.ts'
import type { VideosDependencies } from './parts.ts'
import { remixSchema } from './schema.ts'

/** A call with the job of the video that it changes. */
interface RemixCall extends Call {
  readonly source: Job
}

/** Defines `POST /v1/videos/{id}/remix`, which only the account of the source can serve. */
export function remixVideo(parts: VideosDependencies) {
  return defineOperation<RemixCall>({
    id: 'videos.remix',
    method: 'POST',
    paths: ['/v1/videos/{id}/remix'],
    auth: 'key',
    body: 'form',
    capability: 'video',
    summary: 'Create a video from a completed one with one change',
    schema: remixSchema,
    async understand(exchange, body) {
      const { id = '' } = exchange.params
      const fields = videoFieldsOf(body)
      promptIn(fields)
      const model = modelIn(fields)
      const source = await ownJob(exchange, parts.jobs, jobId(id), () => noVideo(id))
      recordSource(exchange, source, shownId(source.id))
      if (model !== undefined) rejectOtherModel(model, source, exchange)
      const name = nameOf(source, model, exchange)
      return { ...orderJob, model: name, pin: pinTo(source), source }
    },
    least: { body: { prompt: 'Hello' } },
    forward: {
      billed: 'job',
      plan(exchange, services, accountClient) {
        const { params, body, call } = exchange
        const { source } = call
        // Accounts do not accept `model` here.
        const native = () => ({
          path: fillPath('/v1/videos/{id}/remix', { id: source.upstreamId }),
          edits: removeField(body, 'model'),
        })
        const isNative = !body.form && source.dialect === exchange.dialect.id
        const own = isNative ? { native: native() } : {}
        return planVideoCreation(exchange, services, {
          ...parts,
          ...own,
          request: readRemix(videoFieldsOf(body)),
          source: { job: source, accountClient, notFound: () => noVideo(params['id'] ?? '') },
          answer: createReply(exchange),
        })
      },
    },
  })
}

/** Throws `GatewayError` 400 unless the model equals the model of the source video. */
function rejectOtherModel(model: string, source: Job, { snapshot }: Authenticated): void {
  if (model === source.requested || snapshot.platformName(model) === source.model) return
  const message = `A remix uses the model of its source, \`${source.requested}\`.`
  throw new GatewayError('invalid_value', message, { param: 'model' })
}

/** Returns a name that still resolves to the source's model, the client's own if possible. */
function nameOf(source: Job, requested: string | undefined, { snapshot }: Authenticated): string {
  const names = [requested ?? source.requested, source.requested]
  return names.find((name) => snapshot.platformName(name) === source.model) ?? source.model
}

const known = new Set(['model', 'prompt'])

function readRemix(fields: VideoFields): VideoRequest {
  return { prompt: promptIn(fields), further: fields.others(known) }
}
