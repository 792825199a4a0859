import { GatewayError } from '../../../src/errors.ts'
import { removeMember } from '../../../src/json-edit.ts'
import { defineOperation } from '../../../src/dialect.ts'
import type { Authenticated, Call, Routed } from '../../../src/exchange.ts'
import { approachVideo } from '../../../src/jobs/begin.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { ownJob, pinTo } from '../../../src/jobs/owner.ts'
import { paidForward } from '../../../src/jobs/paid-forward.ts'
import type { VideoRequest } from '../../../src/media/video.ts'
import { answerTo } from './create.ts'
import { noVideo } from './errors.ts'
import { type Fields, fieldsOf } from './fields.ts'
import type { VideosParts } from './parts.ts'
import { jobId } from './reply.ts'
import { modelIn, paidCall, promptIn } from './request.ts'
import { remixSchema } from './schema.ts'

/** One change to a completed video, made by the account that has it. */
export function remixVideo(parts: VideosParts) {
  /** What calls that are under way make anew. */
  const sources = new WeakMap<Call, Job>()
  return defineOperation({
    id: 'videos.remix',
    method: 'POST',
    paths: ['/v1/videos/{id}/remix'],
    auth: 'key',
    body: 'form',
    capability: 'video',
    summary: 'Make a completed video anew with one change',
    schema: remixSchema,
    async understand(exchange, body) {
      const { id = '' } = exchange.params
      const fields = fieldsOf(body)
      promptIn(fields)
      const model = modelIn(fields)
      const source = await ownJob(exchange, parts.jobs, jobId(id), () => noVideo(id))
      if (model !== undefined) refuseOther(model, source, exchange)
      const call: Call = { ...paidCall, model: source.requested, pin: pinTo(source) }
      sources.set(call, source)
      return call
    },
    forward: paidForward((exchange, services, asking) => {
      const source = sources.get(exchange.call)
      if (!source) throw new Error('A remix without a source.')
      const { params, request, body } = exchange
      const path = `/v1/videos/${encodeURIComponent(source.upstreamId)}/remix`
      const own = body.form ? {} : { native: { path, edits: withoutModel(exchange) } }
      return approachVideo(exchange, services, {
        ...parts,
        ...own,
        request: readRemix(fieldsOf(body)),
        source: { job: source, asking, notFound: () => noVideo(params['id'] ?? '') },
        answer: answerTo(request),
      })
    }),
  })
}

/** The model is the source's, whatever it is called by now. */
function refuseOther(model: string, source: Job, { snapshot }: Authenticated): void {
  if (model === source.requested || snapshot.platformName(model) === source.model) return
  const message = `A remix is made by the model of its source, \`${source.model}\`.`
  throw new GatewayError('invalid_value', message, { param: 'model' })
}

const known = new Set(['model', 'prompt'])

function readRemix(fields: Fields): VideoRequest {
  return { prompt: promptIn(fields), further: fields.others(known) }
}

/** The accounts' own call has no such field. */
function withoutModel({ body: { bytes } }: Routed) {
  return removeMember(
    bytes,
    { start: bytes.indexOf('{'), end: bytes.lastIndexOf('}') + 1 },
    'model',
  )
}
