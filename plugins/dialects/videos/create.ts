import { defineOperation } from '../../../src/dialect.ts'
import type { ClientRequest } from '../../../src/exchange.ts'
import { approachVideo, type Beginning } from '../../../src/jobs/begin.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { paidForward } from '../../../src/jobs/paid-forward.ts'
import { modelInserted } from '../../../src/model-inserted.ts'
import { fieldsOf } from './fields.ts'
import type { VideosParts } from './parts.ts'
import { pollHeaders, showVideo } from './reply.ts'
import { readVideoRequest, understandCreate } from './request.ts'
import { createSchema } from './schema.ts'
import { storedInserted } from './stored.ts'

export function createVideo(parts: VideosParts) {
  return defineOperation({
    id: 'videos.create',
    method: 'POST',
    paths: ['/v1/videos'],
    auth: 'key',
    body: 'form',
    capability: 'video',
    summary: 'Create a video: a job that goes on after the answer',
    schema: createSchema,
    understand: understandCreate,
    forward: paidForward(async (exchange, services) => {
      const { body, candidate, request } = exchange
      const fields = fieldsOf(body)
      const edits = [
        ...(fields.modelAt ? [] : [modelInserted(body, candidate.upstreamModel)]),
        ...(candidate.native ? await storedInserted(exchange, fields.reference, parts.files) : []),
      ]
      return approachVideo(exchange, services, {
        ...parts,
        request: readVideoRequest(fields),
        native: { path: '/v1/videos', edits },
        answer: answerTo(request),
      })
    }),
  })
}

export function answerTo(request: ClientRequest): Beginning['answer'] {
  return (job: Job) => ({ json: showVideo(job, request), headers: pollHeaders(job) })
}
