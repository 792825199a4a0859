import { textOf } from '../../json.ts'
import { badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { openai } from '../provider.ts'
import { checkUploads } from './check-uploads.ts'
import { readImageJob } from './image-job.ts'
import { defaultModel, kindOf } from './models.ts'
import { renderImagesReply } from './reply.ts'
import { editShape } from './shapes.ts'
import { uploadsOfForm, uploadsOfJson } from './uploads.ts'

/** `POST /v1/images/edits`, as a form, or as JSON with addresses instead of files. */
export const imageEdits: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/images\/edits$/,
  hasBody: true,
  form: {
    n: 'integer',
    output_compression: 'integer',
    partial_images: 'integer',
    stream: 'boolean',
  },
  answer,
}

function answer(call: Call): Reply {
  const { body, form } = call
  const model = textOf(body['model']) || defaultModel(body)
  const kind = kindOf(model)
  if (kind === 'dall-e-3')
    throw badRequest(
      `Invalid value: '${model}'. Value must be 'dall-e-2'.`,
      'model',
      'invalid_value',
    )
  const uploads = form ? uploadsOfForm(form) : uploadsOfJson(body)
  editShape(kind, model)(body, [])
  checkUploads(uploads, kind)
  const inputImages = uploads.images.length + uploads.remote
  return renderImagesReply(call, kind, readImageJob(body, inputImages), 'image_edit')
}
