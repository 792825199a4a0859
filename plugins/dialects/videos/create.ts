import { defineOperation } from '../../../src/contract/operation.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { type VideoCreation, planVideoCreation } from '../../../src/jobs/create-video.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { usualSeconds, usualSize } from '../../../src/media/video-frame.ts'
import { insertModel } from '../../../src/body/edits.ts'
import { secondsEdits, videoFieldsOf } from './fields.ts'
import type { VideosDependencies } from './parts.ts'
import { referenceEdits } from './reference-edits.ts'
import { pollHeaders, showVideo, shownId } from './reply.ts'
import { readVideoRequest, understandCreate } from './request.ts'
import { createSchema } from './schema.ts'

/** Defines `POST /v1/videos`. */
export function createVideo(parts: VideosDependencies) {
  return defineOperation({
    id: 'videos.create',
    method: 'POST',
    paths: ['/v1/videos'],
    auth: 'key',
    body: 'form',
    capability: 'video',
    summary: 'Create a video job, which continues after the reply',
    schema: createSchema,
    understand: understandCreate,
    least: { body: { prompt: 'Hello' } },
    forward: {
      billed: 'job',
      async plan(exchange, services) {
        const { body, candidate, request } = exchange
        const fields = videoFieldsOf(body)
        const edits = [
          ...(fields.modelAt ? [] : [insertModel(body, candidate.upstreamModel)]),
          ...(candidate.native
            ? [
                ...secondsEdits(body),
                ...(await referenceEdits(exchange, fields.reference, parts.files)),
              ]
            : []),
        ]
        return planVideoCreation(exchange, services, {
          ...parts,
          request: readVideoRequest(fields),
          usual: { seconds: usualSeconds, size: usualSize },
          native: { path: '/v1/videos', edits },
          answer: createReply(request),
        })
      },
    },
  })
}

/** Returns a function that encodes a created job as the reply. */
export function createReply(request: ClientRequest): VideoCreation['answer'] {
  return (job: Job) => ({
    json: showVideo(job, request),
    headers: pollHeaders(job),
    id: shownId(job.id),
  })
}
