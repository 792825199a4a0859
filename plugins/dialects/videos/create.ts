import { defineOperation } from '../../../src/contract/operation.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { type VideoCreation, planVideoCreation } from '../../../src/jobs/create-video.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { usualSeconds, usualSize } from '../../../src/media/video-frame.ts'
import { insertModel } from '../../../src/body/edits.ts'
import { videoFieldsOf } from './fields.ts'
import type { VideosParts } from './parts.ts'
import { referenceEdits } from './reference-edits.ts'
import { pollHeaders, showVideo, shownId } from './reply.ts'
import { readVideoRequest, understandCreate } from './request.ts'
import { createSchema } from './schema.ts'

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
    forward: {
      billed: 'job',
      async plan(exchange, services) {
        const { body, candidate, request } = exchange
        const fields = videoFieldsOf(body)
        const edits = [
          ...(fields.modelAt ? [] : [insertModel(body, candidate.upstreamModel)]),
          ...(candidate.native
            ? await referenceEdits(exchange, fields.reference, parts.files)
            : []),
        ]
        return planVideoCreation(exchange, services, {
          ...parts,
          request: readVideoRequest(fields),
          usual: { seconds: usualSeconds, size: usualSize },
          native: { path: '/v1/videos', edits },
          answer: answerTo(request),
        })
      },
    },
  })
}

export function answerTo(request: ClientRequest): VideoCreation['answer'] {
  return (job: Job) => ({
    json: showVideo(job, request),
    headers: pollHeaders(job),
    id: shownId(job.id),
  })
}
