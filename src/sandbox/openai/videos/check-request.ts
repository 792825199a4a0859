import { FaultError, type Path } from '../../fault.ts'
import type { Form } from '../../form/form.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import { readImageHeader } from '../../media/read-image-header.ts'
import { badRequest } from '../../problem.ts'
import { choice, object, string } from '../../shape.ts'
import { imageUrl, modelName } from '../fields.ts'

const prompt = string({ min: 1, max: 32_000 })

const createRequest = object({
  required: { prompt },
  omittable: {
    model: modelName,
    seconds: choice('4', '8', '12'),
    size: choice('720x1280', '1280x720', '1024x1792', '1792x1024'),
    input_reference: reference,
  },
})

const remixRequest = object({ required: { prompt } })

/** Throws unless OpenAI accepts this request for a video. `size` is its size, or the default. */
export function checkVideo(body: JsonObject, form: Form | undefined, size: string): void {
  createRequest(body, [])
  const files = form?.files ?? []
  refuseOtherFiles(files.map(({ name }) => name))
  const [file] = files
  if (file) return checkReference(file.type ?? '', file.head, size)
  const url = String(objectOf(body['input_reference'])['image_url'])
  const [, type = '', data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  if (data !== undefined) checkReference(type, Buffer.from(data, 'base64'), size)
}

/** Throws unless OpenAI accepts this request for a remix, which names no model. */
export function checkRemix(body: JsonObject, form: Form | undefined): void {
  remixRequest(body, [])
  const [file] = form?.files ?? []
  if (file) throw new FaultError({ kind: 'unknown', path: [file.name] })
}

function reference(value: unknown, path: Path): void {
  object({ omittable: { image_url: imageUrl, file_id: string({ min: 1 }) } })(value, path)
  if (Object.keys(objectOf(value)).length !== 1)
    throw badRequest("Exactly one of 'image_url' and 'file_id' is needed.", path.join('.'))
}

function refuseOtherFiles(names: string[]): void {
  const other = names.find((name) => name !== 'input_reference')
  if (other !== undefined) throw new FaultError({ kind: 'unknown', path: [other] })
  if (names.length > 1)
    throw badRequest("Duplicate parameter: 'input_reference'.", 'input_reference')
}

const referenceTypes = ['image/jpeg', 'image/png', 'image/webp']

function checkReference(type: string, head: Buffer, size: string): void {
  const param = 'input_reference'
  if (!referenceTypes.includes(type))
    throw badRequest(
      `Invalid file '${param}': unsupported mimetype ('${type}'). Supported file formats are ` +
        `'image/jpeg', 'image/png', and 'image/webp'.`,
      param,
      'unsupported_file_mimetype',
    )
  const header = readImageHeader(head)
  if (!header) throw badRequest(`Invalid image file for '${param}'.`, param, 'invalid_image_file')
  if (`${header.width}x${header.height}` !== size)
    throw badRequest('Inpaint image must match the requested width and height')
}
