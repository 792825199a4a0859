import { type Path, ruleFault } from '../../fault.ts'
import {
  type Members,
  type Shape,
  anything,
  boolean,
  choice,
  integer,
  object,
  string,
} from '../../shape.ts'
import { modelName } from '../fields.ts'
import { type ImageModelKind, acceptsAnySize } from './models.ts'

const anyModel: Members = {
  model: modelName,
  n: integer({ min: 1, max: 10 }),
  user: string(),
  safety_identifier: string({ max: 64 }),
}

const responseFormat = choice('url', 'b64_json')

const gptImage: Members = {
  ...anyModel,
  background: choice('transparent', 'opaque', 'auto'),
  complexity: choice('low', 'medium', 'high'),
  moderation: choice('low', 'auto'),
  output_compression: integer({ min: 0, max: 100 }),
  output_format: choice('png', 'jpeg', 'webp'),
  partial_images: integer({ min: 0, max: 3 }),
  quality: choice('low', 'medium', 'high', 'xhigh', 'max', 'auto'),
  stream: boolean,
}

/** The body of `POST /v1/images/generations`, by the model. */
export function generationShape(kind: ImageModelKind, model: string): Shape {
  switch (kind) {
    case 'dall-e-2':
      return object({ required: { prompt: promptOf(1000) }, optional: dallE2 })
    case 'dall-e-3':
      return object({
        required: { prompt: promptOf(4000) },
        optional: {
          ...anyModel,
          n: integer({ min: 1, max: 1 }),
          quality: choice('standard', 'hd', 'auto'),
          response_format: responseFormat,
          size: choice('1024x1024', '1792x1024', '1024x1792'),
          style: choice('vivid', 'natural'),
        },
      })
    case 'gpt-image':
      return object({
        required: { prompt: promptOf(32_000) },
        optional: { ...gptImage, size: sizeOf(model) },
      })
  }
}

/** The body of `POST /v1/images/edits` without its images, by the model. */
export function editShape(kind: ImageModelKind, model: string): Shape {
  const files: Members = { images: anything, mask: anything }
  if (kind !== 'gpt-image')
    return object({ required: { prompt: promptOf(1000) }, optional: { ...dallE2, ...files } })
  return object({
    required: { prompt: promptOf(32_000) },
    optional: {
      ...gptImage,
      ...files,
      input_fidelity: choice('high', 'low'),
      size: sizeOf(model),
    },
  })
}

const dallE2: Members = {
  ...anyModel,
  quality: choice('standard', 'auto'),
  response_format: responseFormat,
  size: choice('256x256', '512x512', '1024x1024'),
  stream: refuseTrue,
}

function refuseTrue(value: unknown, path: Path): void {
  boolean(value, path)
  if (value === true) throw ruleFault(path, "'stream' is not supported by this model.")
}

function promptOf(max: number): Shape {
  return string({ min: 1, max })
}

function sizeOf(model: string): Shape {
  const usual = choice('1024x1024', '1536x1024', '1024x1536', 'auto')
  return acceptsAnySize(model) ? anySize : usual
}

function anySize(value: unknown, path: Path): void {
  string({ pattern: /^(auto|[1-9]\d{1,3}x[1-9]\d{1,3})$/ })(value, path)
  if (value === 'auto') return
  const [width = 0, height = 0] = String(value).split('x').map(Number)
  const ratio = width / height
  if (width % 16 > 0 || height % 16 > 0)
    throw ruleFault(path, `Invalid '${path.join('.')}': both sides must be divisible by 16.`)
  if (ratio > 3 || ratio < 1 / 3 || width * height > 3840 * 2160)
    throw ruleFault(path, `Invalid '${path.join('.')}': the size is out of bounds.`)
}
