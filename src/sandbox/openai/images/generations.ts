import { textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { openai } from '../provider.ts'
import { readImageJob } from './image-job.ts'
import { defaultModel, kindOf } from './models.ts'
import { renderImagesReply } from './reply.ts'
import { generationShape } from './shapes.ts'

/** `POST /v1/images/generations`. */
export const imageGenerations: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/images\/generations$/,
  hasBody: true,
  answer,
}

function answer(call: Call): Reply {
  const model = textOf(call.body['model']) || defaultModel(call.body)
  const kind = kindOf(model)
  generationShape(kind, model)(call.body, [])
  return renderImagesReply(call, kind, readImageJob(call.body, 0), 'image_generation')
}
